// Compiles Python modules with the Pyodide that will run them: node compile.mjs FOLDER. The folder
// has sources.zip and asked.json; the archives and found.json are written there (inside.py).

import { readFileSync } from 'node:fs';
import { loadPyodide } from '../../web/node_modules/pyodide/pyodide.mjs';

const python = await loadPyodide();
const started = python.runPython('import sys; [*sys.modules]');
python.FS.mkdir('/host');
python.FS.mount(python.FS.filesystems.NODEFS, { root: process.argv[2] }, '/host');
const inside = readFileSync(new URL('inside.py', import.meta.url), 'utf8');
python.runPython(inside);
python.globals.get('run')(started);
