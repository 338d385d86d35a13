// Colours of the picture for both themes. Those of the lines and arrows are Okabe and Ito's, which people with any colour vision tell apart.

export interface SceneColours {
  zenith: number;
  horizon: number;
  ground: number;
  grid: number;
  road: number;
  lane: number;
  path: number;
  trail: number;
  body: number;
  edge: number;
  glass: number;
  headlamp: number;
  tail_lamp: number;
  bar: number;
  rod: number;
  spring: number;
  damper: number;
  tyre: number;
  rim: number;
  cone: number;
  load: number;
  grip: number;
  light: number;
}

const DARK: SceneColours = {
  zenith: 0x080c12,
  horizon: 0x2a3b50,
  ground: 0x141b24,
  grid: 0x53677f,
  road: 0x222b37,
  lane: 0xdfe6ee,
  path: 0x56b4e9,
  trail: 0x009e73,
  body: 0x5b9bd0,
  edge: 0xb9dcf6,
  glass: 0x0d1620,
  headlamp: 0xfff3cf,
  tail_lamp: 0xe0392b,
  bar: 0xc3ccd6,
  rod: 0xe69f00,
  spring: 0xf0e442,
  damper: 0x8fa3b8,
  tyre: 0x20252c,
  rim: 0xc8d2dc,
  cone: 0xff7a1a,
  load: 0x2fc596,
  grip: 0xf0803c,
  light: 1.0,
};

const LIGHT: SceneColours = {
  ...DARK,
  zenith: 0x9fc4e4,
  horizon: 0xe9f1f7,
  ground: 0xd3dbe2,
  grid: 0x8697a8,
  road: 0xb6c0ca,
  lane: 0xffffff,
  path: 0x0072b2,
  trail: 0x00795a,
  body: 0x3f7fb5,
  edge: 0x123a5c,
  glass: 0x22384c,
  bar: 0x4a5663,
  rod: 0xb36b00,
  spring: 0xa08b00,
  damper: 0x5d6c7b,
  load: 0x00795a,
  grip: 0xc04a00,
  light: 1.15,
};

export type Theme = "dark" | "light";

export const sceneColours = (theme: Theme): SceneColours => (theme === "dark" ? DARK : LIGHT);
