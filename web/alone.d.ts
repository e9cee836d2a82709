/** Whether this page plays without a server, in a folder on any web host (alone.config.ts): the build
 * knows, and leaves out what is not offered there. */
declare const __ALONE__: boolean;

/** Where the Python of such a page is, below the folder, and how many bytes each of its files has,
 * not compressed (tools/alone). */
declare const __PYTHON__: {
  /** The folder of Pyodide. */
  readonly runtime: string;
  /** The archive with our own modules. */
  readonly rage: string;
  readonly sizes: Readonly<Record<string, number>>;
};
