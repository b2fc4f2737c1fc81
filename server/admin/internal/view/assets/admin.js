// The moving part of a page comes as HTML by server-sent events, and is morphed into the page, so that focus, scrolling and selection stay.
"use strict";
(() => {
  const main = document.getElementById("main");
  const live = document.getElementById("live");
  const offline = document.getElementById("offline");
  const pause = document.getElementById("pause");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let source = null, paused = false, again = 0;

  // Rows of rankings by their id, with their places on the screen and their ranks.
  const places = () => new Map([...live.querySelectorAll("[data-rows] tbody tr[id]")].map(
    row => [row.id, { top: row.getBoundingClientRect().top, rank: +row.dataset.rank }]));

  const update = html => {
    const before = calm.matches ? new Map() : places();
    Idiomorph.morph(live, html, { morphStyle: "innerHTML", ignoreActiveValue: true });
    const moved = [];
    for (const [id, was] of before) {
      const row = document.getElementById(id);
      if (row && +row.dataset.rank !== was.rank) moved.push([row, was, row.getBoundingClientRect().top]);
    }
    for (const [row, was, top] of moved) {
      row.animate([{ transform: `translateY(${was.top - top}px)` }, { transform: "none" }], { duration: 400, easing: "ease-out" });
      row.animate([{ backgroundColor: +row.dataset.rank < was.rank ? "var(--rise)" : "var(--fall)" }, {}], 1500);
    }
  };

  const close = () => { if (source) source.close(); source = null; clearTimeout(again); };
  const connect = () => {
    close();
    if (!main.dataset.live || paused || document.hidden) return;
    const mine = source = new EventSource(main.dataset.live);
    mine.addEventListener("page", e => { offline.hidden = true; update(JSON.parse(e.data)); });
    mine.addEventListener("error", () => {
      if (mine !== source) return;
      offline.hidden = false;
      if (mine.readyState === EventSource.CLOSED) again = setTimeout(connect, 3000); // refused, as by a proxy whose server restarts
    });
  };
  document.addEventListener("visibilitychange", connect);
  addEventListener("pagehide", close);
  addEventListener("pageshow", e => { if (e.persisted) connect(); });
  if (pause) {
    pause.hidden = false;
    pause.addEventListener("click", () => {
      paused = !paused;
      pause.setAttribute("aria-pressed", paused);
      connect();
    });
  }
  connect();

  // A slash goes to the search of the page.
  document.addEventListener("keydown", e => {
    if (e.key !== "/" || e.ctrlKey || e.altKey || e.metaKey || e.target.closest("input, textarea, select")) return;
    const field = document.querySelector("[role=search] input:not([type=hidden])");
    if (field) { e.preventDefault(); field.focus(); }
  });

  // Charts: what each shows of the figures.
  const charts = {
    commits: [["commits", "Commits a second"]],
    latency: [["medianMs", "Median, ms"], ["p99Ms", "99 %, ms"]],
    memory: [["memoryMb", "Memory, MB"]],
    log: [["logMb", "Log, MB"], ["lagMs", "Lag, ms"]],
  };
  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const clock = seconds => new Date(seconds * 1000).toISOString().slice(11, 19);
  const drawn = [];
  const draw = figure => {
    const series = charts[figure.dataset.chart];
    const axis = { stroke: color("--dim"), grid: { stroke: color("--line"), width: 1 }, ticks: { stroke: color("--line"), width: 1 } };
    figure.replaceChildren();
    const size = () => ({ width: figure.clientWidth - 12, height: 160 });
    const plot = new uPlot({
      ...size(), cursor: { y: false }, axes: [{ ...axis, space: 90, size: 32, values: (_, all) => all.map(clock) }, { ...axis, size: 60 }],
      scales: { y: { range: (_, min, max) => [Math.min(0, min), max > 0 ? max * 1.1 : 1] } },
      series: [{ label: "Time (UTC)", value: (_, t) => t == null ? "–" : clock(t) }, ...series.map(([, label], i) => ({ label, stroke: color(i ? "--second" : "--accent"), width: 2, points: { show: false }, value: (_, v) => v == null ? "–" : v.toPrecision(3) }))],
    }, [[], ...series.map(() => [])], figure);
    const entry = { from: figure.dataset.from, show: figures => plot.setData([figures.time, ...series.map(([name]) => figures[name] ?? [])]) };
    const watch = new ResizeObserver(() => plot.setSize(size()));
    watch.observe(figure);
    entry.end = () => { watch.disconnect(); plot.destroy(); };
    drawn.push(entry);
  };
  const load = async () => {
    if (!drawn.length || document.hidden || paused) return;
    try {
      const answer = await fetch(drawn[0].from);
      if (!answer.ok) return;
      const figures = await answer.json();
      for (const d of drawn) d.show(figures);
    } catch { } // the stream says that the server does not answer
  };
  const drawAll = () => {
    for (const d of drawn.splice(0)) d.end();
    document.querySelectorAll("[data-chart]").forEach(draw);
    load();
  };
  if (document.querySelector("[data-chart]")) {
    drawAll();
    setInterval(load, 5000);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  }
})();
