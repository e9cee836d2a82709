// Mistakes that types do not show, and the layers of the page (layers.js).

import boundaries from 'eslint-plugin-boundaries';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import { JUDGES, LAYERS, MAY_JUDGE } from './layers.js';
import svelteConfig from './svelte.config.js';

/** A part is a folder, or files at the top that begin with its name: `say.ts`, `say.test.ts`. */
const parts = LAYERS.flat().map((part) => ({
  category: part,
  pattern: [`src/${part}/**/*`, `src/${part}.*`],
}));

const among = (names) => ({ file: { categories: { anyOf: names } } });
const policies = LAYERS.map((layer, at) => {
  const below = LAYERS.slice(at).flat();
  const judging = layer.some((part) => MAY_JUDGE.includes(part));
  const allowed = judging ? below : below.filter((part) => part !== JUDGES);
  return { from: among(layer), allow: { to: among(allowed) } };
});

export default ts.config(
  { ignores: ['public/**', 'node_modules/**'] },
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig },
    },
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // The check of the layers (below) has to see every import.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ImportExpression:not([source.type="Literal"])',
          message: 'Name the file in quotes, so that its layer can be checked.',
        },
      ],
      // TypeScript does this, through svelte-check: `_` begins an unused name.
      '@typescript-eslint/no-unused-vars': 'off',
      // `!` says what the type of an index cannot.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Links are paths below a base that only the server knows (shell/place).
      'svelte/no-navigation-without-resolve': 'off',
      // A set that is made, read and forgotten in one expression need not be watched.
      'svelte/prefer-svelte-reactivity': 'off',
      // `{' '}` keeps a space that Svelte would drop.
      'svelte/no-useless-mustaches': 'off',
    },
  },
  { files: ['**/*.test.ts'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
  {
    files: ['src/**'],
    plugins: { boundaries },
    settings: {
      'boundaries/files': parts,
      'boundaries/include': ['src/**/*'],
      'boundaries/dependency-nodes': ['import', 'export', 'dynamic-import'],
      'import/resolver': { node: { extensions: ['.ts', '.svelte.ts', '.js'] } },
    },
    rules: {
      'boundaries/dependencies': ['error', { default: 'disallow', policies }],
      'boundaries/no-unknown-files': 'error',
    },
  },
);
