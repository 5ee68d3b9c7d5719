/** Linear gain of a change in decibels: 0 dB is 1, -6.02 dB is about 0.5. */
export function gainFromDecibels(decibels: number): number {
  return 10 ** (decibels / 20);
}

/** Change in decibels of a linear gain; `-Infinity` for 0. */
export function decibelsFromGain(gain: number): number {
  return 20 * Math.log10(gain);
}

/** A level as meters show it, to a tenth. */
export function shownLevel(level: number): number {
  return Math.round(level * 10) / 10;
}
