import { expect, it } from 'vitest';
import { defaults, readSettings } from './settings';

it('keeps what was kept', () => {
  const mine = defaults();
  mine.language = 'es';
  mine.theme = 'light';
  mine.cards = 'large';
  mine.sounds.trump = false;
  mine.guard = 'moment';
  mine.sort = 'trumps';
  mine.pace = 'slow';
  mine.trick = 'long';
  mine.strength = 'hard';
  for (const [name, usual] of Object.entries(mine))
    if (typeof usual === 'boolean') Object.assign(mine, { [name]: !usual });
  mine.edition = 'amigo';
  mine.last = { rules: 'amigo+sweep', players: 5 };
  expect(readSettings(JSON.stringify(mine))).toEqual(mine);
});

it.each([
  null,
  '',
  'null',
  '[]',
  '7',
  '{"theme":',
  '{"sounds":3,"last":[]}',
  '{"last":{"players":4.5},"edition":"uno"}',
])('has its defaults where it kept %s', (text) => {
  expect(readSettings(text)).toEqual(defaults());
});

it('is as defaults only where something cannot be read', () => {
  const text = JSON.stringify({
    theme: 'pink',
    guard: 'tap',
    language: 'xx',
    vibration: 'no',
    blink: false,
  });
  expect(readSettings(text)).toEqual({ ...defaults(), guard: 'tap', blink: false });
});

it('names no setting by another hand', () => {
  expect(Object.keys(readSettings('{"__proto__": {"theme": "dark"}, "evil": 1}'))).toEqual(
    Object.keys(defaults()),
  );
  expect(readSettings('{"__proto__": {"theme": "dark"}}').theme).toBe('system');
});
