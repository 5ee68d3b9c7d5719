/** What the sound of one cue was made from. */
export interface VoicedCue {
  /** Fingerprint of its words. */
  readonly words: string;
  /** Seconds on the programme clock. */
  readonly start: number;
  readonly end: number;
  /** Length of its voice in seconds, where it is known to be another than the cue's; absent: it ends at {@link end}. */
  readonly seconds?: number;
  /** BCP-47 code, and the voice's name. */
  readonly language: string;
  readonly voice: string;
  /** The volume asked for: `none`, `auto`, `max`, `max -3`. */
  readonly level: string;
  /** Fingerprint of a person's own recording that is heard in place of the voice. */
  readonly recording?: string;
}
