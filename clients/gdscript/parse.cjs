// Parses files by the grammar of GDScript of tree-sitter and prints the lines that are no GDScript.
const path = require("node:path");
const modules = path.join(__dirname, "../typescript/node_modules");
const Parser = require(path.join(modules, "tree-sitter"));
const parser = new Parser();
parser.setLanguage(require(path.join(modules, "tree-sitter-gdscript")));
let bad = 0;
for (const file of process.argv.slice(2)) {
  const source = require("node:fs").readFileSync(file, "utf8");
  const tree = parser.parse((at) => source.slice(at, at + 4096)); // a string of more than 32 KiB is too long for it
  const visit = (node) => {
    if (node.type === "ERROR" || node.isMissing) {
      console.log(`${file}:${node.startPosition.row + 1}: ${node.text.slice(0, 80)}`);
      bad++;
    } else if (node.hasError) node.children.forEach(visit);
  };
  visit(tree.rootNode);
}
console.log(`gdscript: ${bad} errors`);
