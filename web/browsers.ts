/** The oldest browsers that the page is built for, as README.md names them: of spring 2023, and the
 * first Firefox that knows `:has`. */
export const OLDEST = ['chrome111', 'edge111', 'firefox121', 'safari16.4'];
