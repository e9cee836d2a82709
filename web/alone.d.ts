/** Whether this page plays without a server, in a folder on any web host (alone.config.ts): the build
 * knows, and leaves out what is not offered there. */
declare const __ALONE__: boolean;
