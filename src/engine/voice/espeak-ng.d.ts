// The package brings no declarations; these name the part in use, after its glue code.
declare module "@echogarden/espeak-ng-emscripten" {
  /** A place in the module's memory. */
  export interface Pointer {
    readonly ptr: number;
  }

  /** What happened at a point of the sound; `id` of a phoneme is its IPA spelling. */
  export interface SynthesisEvent {
    readonly type:
      | "list_terminated"
      | "word"
      | "sentence"
      | "mark"
      | "play"
      | "end"
      | "msg_terminated"
      | "phoneme"
      | "samplerate";
    readonly id?: string | number;
  }

  /** One synthesizer. Strings are passed as pointers to zero-terminated UTF-8. */
  export interface EspeakWorker {
    /** Returns 0 when the voice was found. */
    set_voice(identifier: Pointer): number;
    /** Words per minute, 80 to 450. */
    set_rate(wordsPerMinute: number): void;
    /** 0 to 100, 50 being the voice's own. */
    set_pitch(pitch: number): void;
    /** Pitch range, 0 (monotone) to 100, 50 being the voice's own. */
    set_range(range: number): void;
    /** Samples per second. */
    get_samplerate(): number;
    /** Speaks; `onSound` returns true to stop. */
    synthesize(text: Pointer, onSound: (pcm: Int16Array, events: readonly SynthesisEvent[]) => boolean): void;
  }

  /** The loaded module. */
  export interface EspeakModule {
    /** Replaced when the memory grows: never keep it. */
    readonly HEAPU8: Uint8Array;
    readonly eSpeakNGWorker: new () => EspeakWorker;
    _malloc(sizeBytes: number): number;
  }

  const load: (options: { print?: (line: string) => void; printErr?: (line: string) => void }) => Promise<EspeakModule>;
  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default load;
}
