// The parts of web/src from the top: each may import only what stands below it (docs/design.md).

export const LAYERS = [
  ['main', 'App', 'pages'],
  ['sheet'],
  ['judge'],
  ['evening'],
  ['after'],
  ['tv'],
  ['guided'],
  ['table'],
  ['together'],
  ['start'],
  ['learn'],
  ['game'],
  ['fair'],
  ['offline'],
  ['shell'],
  ['alone'],
  ['cards'],
  ['icons'],
  ['late', 'layout', 'settings'],
  ['languages'],
  ['say'],
  ['base64url', 'codes', 'stored'],
  ['protocol'],
];

/** The part that judges by the rules, and the only parts that may import it. */
export const JUDGES = 'offline';
export const MAY_JUDGE = ['offline', 'fair', 'after', 'sheet', 'judge'];
