/** What makes a catalogue voice sound like itself on espeak-ng: the same in every language. */
export interface EspeakTimbre {
  /** Variant file of espeak-ng; its gender is the catalogue's. */
  readonly variant: string;
  /** 0 to 100; 50 is the variant's own pitch. */
  readonly pitch: number;
  /** Pitch range, 0 (monotone) to 100; 50 is the variant's own. */
  readonly range: number;
}

const timbre = (variant: string, pitch: number, range: number): EspeakTimbre => ({ variant, pitch, range });

/**
 * One timbre for each name of the voice catalogue: stable, and no two alike (mean pitch or brightness differ, measured by
 * `test/engine/voice/espeak-timbres.test.ts`). Variants that clip or distort at normal volume are left out.
 */
export const ESPEAK_TIMBRES: Readonly<Record<string, EspeakTimbre>> = {
  Achernar: timbre("f2", 45, 45),
  Aoede: timbre("f4", 54, 55),
  Autonoe: timbre("f1", 58, 45),
  Callirrhoe: timbre("f3", 42, 50),
  Despina: timbre("linda", 38, 50),
  Erinome: timbre("f5", 40, 45),
  Gacrux: timbre("grandma", 26, 35),
  Kore: timbre("f2", 62, 55),
  Laomedeia: timbre("f3", 60, 60),
  Leda: timbre("Annie", 32, 50),
  Pulcherrima: timbre("shelby", 48, 55),
  Sulafat: timbre("f4", 34, 40),
  Vindemiatrix: timbre("aunty", 42, 40),
  Zephyr: timbre("f1", 70, 60),
  Achird: timbre("m3", 58, 55),
  Algenib: timbre("m8", 50, 50),
  Algieba: timbre("m1", 50, 45),
  Alnilam: timbre("m5", 36, 55),
  Charon: timbre("m4", 26, 45),
  Enceladus: timbre("m2", 52, 45),
  Fenrir: timbre("Michael", 60, 60),
  Iapetus: timbre("m6", 60, 40),
  Orus: timbre("quincy", 58, 50),
  Puck: timbre("m3", 74, 65),
  Rasalgethi: timbre("Diogo", 42, 45),
  Sadachbia: timbre("m5", 68, 60),
  Sadaltager: timbre("Henrique", 54, 50),
  Schedar: timbre("max", 56, 25),
  Umbriel: timbre("victor", 44, 45),
  Zubenelgenubi: timbre("m7", 38, 45),
  Narrator: timbre("Lee", 50, 50),
};
