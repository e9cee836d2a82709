import { expect, test } from 'vitest';
import { EDITIONS } from '../protocol';
import { NAMES, scenesOf } from './scenes';

test.each(EDITIONS)('the scenes of %s are played by its rules', async (edition) => {
  const scenes = await scenesOf(edition);
  for (const name of NAMES) {
    const { table, moments } = scenes[name];
    expect([table.table.rules, table.table.settings.edition]).toEqual([
      `${edition}+schedule:3`,
      edition,
    ]);
    expect(moments.length).toBeGreaterThan(2);
  }
});
