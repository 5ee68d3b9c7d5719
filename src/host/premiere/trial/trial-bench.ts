import { waveHeader } from "../../../formats/wave/write-wave.ts";
import type { Files } from "../../files.ts";
import type { Trial } from "../../host-error.ts";
import type { ExportOptions } from "../export-sequence.ts";
import { activeSequence } from "../open-sequence.ts";
import { type Pace, SAFE_PACE } from "../pace.ts";
import { fetchItems, findBin, removeItems } from "../project-bin.ts";
import { readSnapshot } from "../read-snapshot.ts";
import { traced } from "../traced-premiere.ts";
import { type ApplyContext, Transactor } from "../transactor.ts";

/** What trying things in Premiere needs. */
export interface TrialOptions extends ExportOptions {
  readonly files: Files;
  /** A path for a file of ours with a name, in a folder that exists. */
  readonly pathOf: (name: string) => Promise<string>;
}

/** What stands in Premiere's undo history while things are tried. */
export const LABEL = "Aside: try on a copy";

/** What every file of ours is called at its beginning, and so every clip of it. */
export const TRIAL = "aside-trial";

/** What everything is tried with, and what has to go afterwards. */
export class Bench {
  readonly options: TrialOptions;
  readonly pace: Pace;
  readonly #paths = new Set<string>();
  /** Items in our bin before anything was tried; `null` where the bin was not there, absent until it is looked. */
  #items: ReadonlySet<string> | null | undefined;
  #context: ApplyContext | null = null;

  constructor(options: TrialOptions) {
    this.options = { ...options, premiere: traced(options.premiere) };
    this.pace = options.pace ?? SAFE_PACE;
  }

  /** What changes the copy. Raises an error when another sequence is active. */
  async context({ sequenceId, signal }: Trial): Promise<ApplyContext> {
    const { premiere, clock } = this.options;
    const reference = await activeSequence(premiere);
    if (reference.sequenceId !== sequenceId) throw new Error("the copy is not the active sequence");
    const before = await readSnapshot(premiere, reference);
    const transactor = new Transactor({ premiere, reference, clock, pace: this.pace, signal });
    this.#context = { premiere, before, clock, pace: this.pace, signal, transactor };
    if (this.#items === undefined) {
      const binId = await findBin(this.#context);
      this.#items = binId === null ? null : new Set(await this.#itemsIn(this.#context, binId));
    }
    return this.#context;
  }

  /** A path for a file of ours, which goes at the end. */
  async file(ending: string): Promise<string> {
    const path = await this.options.pathOf(`${TRIAL}${ending}`);
    this.#paths.add(path);
    return path;
  }

  /** A second of silence. */
  async wave(channels: 1 | 2): Promise<string> {
    const path = await this.file(`-${channels}.wav`);
    const { files } = this.options;
    if ((await files.size(path)) !== null) return path;
    const format = { encoding: "integer", channels, sampleRate: 48_000, bits: 16, channelMask: 0 } as const;
    const header = waveHeader({ format, sampleCount: 48_000 });
    const sound = new Uint8Array(header.length + 48_000 * 2 * channels);
    sound.set(header);
    const writer = await files.openWriter(path);
    try {
      await writer.write(0, sound.buffer);
    } finally {
      await writer.close();
    }
    return path;
  }

  /** Removes what was imported and written; says what stays. */
  async clear(): Promise<string> {
    for (const path of this.#paths) await this.options.files.remove(path);
    this.#paths.clear();
    const context = this.#context;
    if (context === null || this.#items === undefined) return "nothing was imported";
    const here = { ...context, before: { ...context.before, reference: await activeSequence(context.premiere) } };
    const { signal } = new AbortController();
    const transactor = new Transactor({ ...this.options, reference: here.before.reference, pace: this.pace, signal });
    const left = await removeItems({ ...here, signal, transactor }, LABEL, this.#items);
    this.#items = undefined;
    return left === 0 ? "everything is removed" : `${left} items are left in the bin "Aside"`;
  }

  async #itemsIn(context: ApplyContext, binId: string): Promise<readonly string[]> {
    return Promise.all((await fetchItems(context, { binId, isAtTop: false })).map(async (item) => item.getId()));
  }
}
