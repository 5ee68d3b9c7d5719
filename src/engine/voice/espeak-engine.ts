import loadModule, { type EspeakModule, type EspeakWorker, type Pointer } from "@echogarden/espeak-ng-emscripten";

/** What the engine is asked to say, in its own terms. */
export interface EspeakUtterance {
  /** Plain text; at most {@link MAX_UTTERANCE_BYTES} as escaped UTF-8. */
  readonly text: string;
  /** Identifier of voice and variant, such as `gmw/en-US+f2`. */
  readonly voice: string;
  /** 80 to 450. */
  readonly wordsPerMinute: number;
  /** 0 to 100, 50 being the variant's own. */
  readonly pitch: number;
  /** Pitch range, 0 (monotone) to 100, 50 being the variant's own. */
  readonly range: number;
}

/** What the engine said. */
export interface EspeakSound {
  readonly pcm: Int16Array;
  readonly sampleRate: number;
  /** What was pronounced, in IPA: words parted by spaces, a change of language as `(en)`. */
  readonly phonemes: string;
}

/** Largest text of one utterance in bytes: the buffer that is set aside for it. */
const MAX_UTTERANCE_BYTES = 65_535;

const VOICE_BYTES = 127;

/**
 * The espeak-ng synthesizer, compiled to JavaScript, in this thread: each call blocks until the sound is there (measured
 * 160 to 320 times faster than real time).
 *
 * Two properties of the engine are worked around. Its state outlives an utterance (phase, flutter and noise run on), so
 * that one text sounds different every time: the memory is put back to a copy made right after loading before each call.
 * And the noise of its breathy variants is seeded by the clock: the clock stands still while the engine starts.
 */
export class EspeakEngine {
  readonly #module: EspeakModule;
  readonly #worker: EspeakWorker;
  readonly #text: Pointer;
  readonly #voice: Pointer;
  readonly #freshMemory: Uint8Array;

  private constructor(module: EspeakModule) {
    this.#module = module;
    this.#worker = withClockStopped(() => new module.eSpeakNGWorker());
    // Strings go into buffers of our own: the package's string cache lives outside the memory that is put back.
    this.#text = { ptr: module._malloc(MAX_UTTERANCE_BYTES + 1) };
    this.#voice = { ptr: module._malloc(VOICE_BYTES + 1) };
    // One utterance settles what is set up on first use.
    this.#write(this.#voice, "gmw/en-US", VOICE_BYTES);
    this.#write(this.#text, "a", MAX_UTTERANCE_BYTES);
    this.#worker.set_voice(this.#voice);
    this.#worker.synthesize(this.#text, () => false);
    // Most of the memory has not been used yet: the zeros at its end need no copy.
    let used = module.HEAPU8.length;
    while (used > 0 && module.HEAPU8[used - 1] === 0) used--;
    this.#freshMemory = module.HEAPU8.slice(0, used);
  }

  /** Loads the engine with its data for all languages: some 0.1 s and 45 MB. */
  static async load(): Promise<EspeakEngine> {
    const discard = () => {};
    return new EspeakEngine(await loadModule({ print: discard, printErr: discard }));
  }

  /**
   * Says one utterance; equal utterances give equal samples, in any order and any process.
   *
   * @throws RangeError when the text is too long or the voice unknown. After any other exception the engine is in an
   * unknown state and is to be dropped.
   */
  speak(utterance: EspeakUtterance): EspeakSound {
    const memory = this.#module.HEAPU8;
    memory.set(this.#freshMemory);
    memory.fill(0, this.#freshMemory.length);
    this.#write(this.#voice, utterance.voice, VOICE_BYTES);
    this.#write(this.#text, escapeMarkup(utterance.text), MAX_UTTERANCE_BYTES);
    const worker = this.#worker;
    if (worker.set_voice(this.#voice) !== 0) throw new RangeError(`espeak-ng has no voice "${utterance.voice}"`);
    worker.set_rate(Math.round(utterance.wordsPerMinute));
    worker.set_pitch(Math.round(utterance.pitch));
    worker.set_range(Math.round(utterance.range));
    const parts: Int16Array[] = [];
    let phonemes = "";
    worker.synthesize(this.#text, (pcm, events) => {
      if (pcm.length > 0) parts.push(pcm);
      for (const event of events) {
        if (event.type === "phoneme") phonemes += event.id;
        else if (event.type === "word") phonemes += " ";
      }
      return false;
    });
    return { pcm: joinPcm(parts), sampleRate: worker.get_samplerate(), phonemes: phonemes.trim() };
  }

  #write(to: Pointer, text: string, limit: number): void {
    const bytes = new TextEncoder().encode(text.replaceAll("\0", " "));
    if (bytes.length > limit) throw new RangeError(`${bytes.length} bytes are too many for espeak-ng; ${limit} fit`);
    this.#module.HEAPU8.set(bytes, to.ptr);
    this.#module.HEAPU8[to.ptr + bytes.length] = 0;
  }
}

/**
 * Takes their meaning from characters the build reads as commands: it speaks SSML (`<break time="9s"/>` is a pause of
 * nine seconds) and phoneme input in double brackets.
 */
function escapeMarkup(text: string): string {
  return text.replace(/[&<>[\]]/g, (character) => ESCAPES[character] ?? " ");
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "[": " ", "]": " " };

function withClockStopped<Result>(run: () => Result): Result {
  const now = Date.now;
  Date.now = () => 0;
  try {
    return run();
  } finally {
    Date.now = now;
  }
}

function joinPcm(parts: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
