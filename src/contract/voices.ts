/** Gender of a voice, as its catalogue states it. */
export type VoiceGender = "female" | "male";

/** One entry of the voice catalogue. */
export interface VoiceName {
  readonly name: string;
  readonly gender: VoiceGender;
  /** `true` for the one name the interface states; the others are inferred from the vendor whose name it is. */
  readonly isConfirmed: boolean;
}

/** Used when a request names no voice. */
export const DEFAULT_VOICE = "Achernar";

/**
 * The 31 voice identifiers: `Achernar` from the interface, 29 suggested by the vendor's public list (`service-facts.md`
 * 7), and `Narrator`, our own, in place of the one that no source names.
 */
export const VOICES: readonly VoiceName[] = [
  { name: "Achernar", gender: "female", isConfirmed: true },
  ...suggested("female", [
    "Aoede", "Autonoe", "Callirrhoe", "Despina", "Erinome", "Gacrux", "Kore", "Laomedeia", "Leda", "Pulcherrima",
    "Sulafat", "Vindemiatrix", "Zephyr",
  ]),
  ...suggested("male", [
    "Achird", "Algenib", "Algieba", "Alnilam", "Charon", "Enceladus", "Fenrir", "Iapetus", "Orus", "Puck",
    "Rasalgethi", "Sadachbia", "Sadaltager", "Schedar", "Umbriel", "Zubenelgenubi",
  ]),
  { name: "Narrator", gender: "male", isConfirmed: false },
]; // biome-ignore format: a table reads better in rows

function suggested(gender: VoiceGender, names: readonly string[]): VoiceName[] {
  return names.map((name) => ({ name, gender, isConfirmed: false }));
}
