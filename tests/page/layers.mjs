// What ESLint says of sources that are in no file: its input is a list of {file, source}, its output
// for each the lines of the messages of one rule. One process for all, for most of what ESLint does
// is to read its own rules.

import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const [rule] = process.argv.slice(2);
const web = new URL('../../web/', import.meta.url);
const { ESLint } = createRequire(new URL('package.json', web))('eslint');
process.chdir(fileURLToPath(web)); // the rule looks at the layers from there
const eslint = new ESLint();
const found = [];
for (const { file, source } of JSON.parse(await text(process.stdin))) {
  const [result] = await eslint.lintText(source, { filePath: file });
  found.push(result.messages.filter(({ ruleId }) => ruleId === rule).map(({ line }) => line));
}
console.log(JSON.stringify(found));
