/** Whether this page plays without a server, in a folder on any web host (alone.config.ts). The
 * build leaves out what such a page does not offer. */
declare const __ALONE__: boolean;

/** Where the Python of such a page is in the folder, and the uncompressed size in bytes of each of
 * its files (tools/alone). */
declare const __PYTHON__: {
  /** The folder of Pyodide. */
  readonly runtime: string;
  /** The archive with our own modules. */
  readonly rage: string;
  readonly sizes: Readonly<Record<string, number>>;
};
