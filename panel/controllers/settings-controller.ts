import { LANGUAGES } from "../../src/contract/choices.ts";
import type { NumberPart } from "../../src/contract/service-settings.ts";
import { bytesFromBase64 } from "../../src/core/bytes.ts";
import { saysSettingsDamaged } from "../../src/workflow/errors.ts";
import type { ServiceConnection } from "../session/connection.ts";
import type { Session } from "../session/session.ts";
import type { PanelState } from "../state/panel-state.ts";
import {
  numbersOf,
  type PartDraft,
  type ShownSettings,
  valuesOf,
  type WorkingPart,
} from "../state/service-settings.ts";
import { words } from "../words/words.ts";

/** Shows, tries and changes who describes, hears and speaks, where the service is ours. */
export class SettingsController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  /** Voices that were heard: the host may hold the file of the last one. */
  #heard = 0;
  /** What was estimated last: service, length, settings. */
  #estimated = "";

  constructor(session: Session, connection: ServiceConnection) {
    this.#session = session;
    this.#connection = connection;
  }

  /** Reads the settings of the service in use. Nothing is said where it has none to show, or cannot be asked now. */
  async look(): Promise<void> {
    const { address } = this.#session.state.service;
    let damagedSettings: PanelState["damagedSettings"] = null;
    const client = await this.#connection.client(address).catch(() => null);
    let answer: unknown = null;
    const told = await client?.settings().catch((error: unknown) => {
      answer = error;
      if (saysSettingsDamaged(error)) damagedSettings = { address, sentence: error.message };
      return null;
    });
    const settings = told ?? null;
    if (client !== null && this.#session.state.service.address === address) this.#connection.noteAnswer(answer);
    this.#session.store.update((before) => {
      if (before.service.address !== address) return before;
      const state = { ...before, damagedSettings };
      const shown = state.serviceSettings?.address === address ? state.serviceSettings : null;
      const untouched = { choices: null, drafts: {}, numbers: {} };
      const fresh = { address, ...untouched, trials: {} };
      return { ...state, serviceSettings: settings === null ? null : { ...(shown ?? fresh), settings } };
    });
  }

  /** Has the service put settings aside that it cannot read, and shows those that count now. */
  async beginAnew(): Promise<void> {
    const { damagedSettings: damaged } = this.#session.state;
    if (damaged === null) return;
    await (await this.#connection.client(damaged.address)).beginSettingsAnew();
    await this.look();
  }

  /** Has Aside started on this computer, and reads its settings. */
  async start(): Promise<void> {
    await this.#connection.start();
    await this.look();
  }

  /** Looks for the service of this computer again, then for its settings. */
  async lookAgain(): Promise<void> {
    await this.#connection.load();
    await this.look();
  }

  /** Looks for what there is to choose, once. */
  async findChoices(): Promise<void> {
    const shown = this.#session.state.serviceSettings;
    if (shown === null || shown.choices !== null || !shown.settings.may_change) return;
    const choices = await (await this.#connection.client(shown.address)).settingChoices();
    this.#change(shown.address, (now) => ({ ...now, choices }));
  }

  /**
   * Asks what the model that is set would take for so many seconds of film: once for each length and each change of the
   * settings, whoever draws it how often. Nothing is said where the service does not know.
   */
  estimate(durationSeconds: number): void {
    const { serviceSettings: shown, modelEstimate: before } = this.#session.state;
    if (shown === null || !(durationSeconds > 0)) return;
    const { address, settings } = shown;
    const asked = JSON.stringify([address, durationSeconds, settings.describer, settings.limits]);
    if (asked === this.#estimated) return;
    this.#estimated = asked;
    this.#session.run(async () => {
      const reply = await (await this.#connection.client(address)).modelEstimate(durationSeconds).catch(() => null);
      if (asked !== this.#estimated) return;
      const modelEstimate = reply === null ? null : { address, durationSeconds, reply };
      const notEstimated = reply === null ? address : null;
      if (modelEstimate !== before || notEstimated !== null) this.#session.store.set({ modelEstimate, notEstimated });
    });
  }

  /** Reads the settings after a model came or went: who works may be another one, and there is more or less to choose. */
  async lookAfterFetch(): Promise<void> {
    this.#estimated = "";
    const address = this.#session.state.serviceSettings?.address;
    if (address !== undefined) this.#change(address, (now) => ({ ...now, choices: null, drafts: {} }));
    await this.look();
    // Nothing is estimated for a film before somebody shows one.
    const { modelEstimate } = this.#session.state;
    if (modelEstimate !== null) this.estimate(modelEstimate.durationSeconds);
  }

  /** Chooses something for a part, or leaves it as it is. Nothing is set yet. */
  choose(part: WorkingPart, index: number | null): void {
    this.#draft(part, index === null ? undefined : { index, typed: {} });
  }

  /** Takes what is typed beside a choice. */
  type(part: WorkingPart, name: string, value: string): void {
    const draft = this.#session.state.serviceSettings?.drafts[part];
    if (draft !== undefined) this.#draft(part, { ...draft, typed: { ...draft.typed, [name]: value } });
  }

  /** Plays the form's voice in its language, as the service is set; what stands against it is told. */
  async hear(): Promise<void> {
    await this.try("voice", { asItIs: true });
    const trial = this.#session.state.serviceSettings?.trials.voice;
    if (trial !== undefined && trial !== "trying" && !trial.works) this.#session.tell(trial.message, { isFault: true });
  }

  /** Plays a voice that is installed, whatever is set, in a language that it speaks; what stands against it is told. */
  async hearModel(model: string, languages: readonly string[]): Promise<void> {
    const { address } = this.#session.state.service;
    const { language, voice } = this.#session.state.form.settings;
    const family = (code: string) => code.split("-")[0];
    const isSpoken = languages.some((one) => family(one) === family(language));
    // A language alone is spoken as in its first place.
    const asked = isSpoken
      ? language
      : (LANGUAGES.find((one) => family(one) === family(languages[0] ?? "")) ?? language);
    const client = await this.#connection.client(address);
    const order = { part: "voice", values: { natural: model }, language: asked, voice } as const;
    // A voice takes seconds to load, and nothing else tells that it was asked for.
    this.#session.say(words.settingsTrying);
    const outcome = await client.testSettings(order);
    const sound = outcome.audio === undefined ? null : bytesFromBase64(outcome.audio);
    if (!outcome.works) this.#session.tell(outcome.message, { isFault: true });
    else if (sound !== null) await this.#play(sound);
  }

  /** Tries a part as it is chosen, else as it is: costs what one picture or one sentence costs. A voice is heard. */
  async try(part: WorkingPart, { asItIs = false } = {}): Promise<void> {
    const shown = this.#session.state.serviceSettings;
    if (shown === null || shown.trials[part] === "trying") return;
    const values = asItIs ? null : valuesOf(shown, part);
    const { language, voice } = this.#session.state.form.settings;
    const order = { part, ...(values === null ? {} : { values }), ...(part === "voice" ? { language, voice } : {}) };
    this.#trial(shown.address, part, "trying");
    try {
      const outcome = await (await this.#connection.client(shown.address)).testSettings(order);
      this.#trial(shown.address, part, outcome);
      const sound = outcome.audio === undefined ? null : bytesFromBase64(outcome.audio);
      if (sound !== null) await this.#play(sound);
    } catch (error) {
      this.#trial(shown.address, part, undefined);
      throw error;
    }
  }

  /** Sets a part as it is chosen. What the service refuses changes nothing, and is told in its words. */
  async use(part: WorkingPart): Promise<void> {
    const shown = this.#session.state.serviceSettings;
    const values = shown === null ? null : valuesOf(shown, part);
    if (shown === null || values === null) return;
    const settings = await (await this.#connection.client(shown.address)).changeSettings({ [part]: values });
    this.#change(shown.address, ({ drafts, trials, ...now }) => {
      const { [part]: _, ...others } = drafts;
      const { [part]: __, ...tried } = trials;
      return { ...now, settings, drafts: others, trials: tried };
    });
    this.#session.tell(words.settingsTaken);
  }

  /** Takes what is typed for a number. */
  typeNumber(part: NumberPart, name: string, value: string): void {
    const shown = this.#session.state.serviceSettings;
    if (shown === null) return;
    this.#change(shown.address, (now) => ({
      ...now,
      numbers: { ...now.numbers, [part]: { ...now.numbers[part], [name]: value } },
    }));
  }

  /** Sets the numbers of a part as they are typed. What the service refuses changes nothing, and is told in its words. */
  async useNumbers(part: NumberPart): Promise<void> {
    const shown = this.#session.state.serviceSettings;
    if (shown === null) return;
    const client = await this.#connection.client(shown.address);
    const settings = await client.changeSettings({ [part]: numbersOf(shown, part) });
    this.#change(shown.address, ({ numbers, ...now }) => {
      const { [part]: _, ...others } = numbers;
      return { ...now, settings, numbers: others };
    });
    const waits = settings[part].numbers.some(({ waits_for_start }) => waits_for_start);
    this.#session.tell(waits ? words.settingsFromStart : words.settingsTaken);
  }

  /** Lets nothing leave the service's computer, or what is chosen. */
  async setLocalOnly(isLocalOnly: boolean): Promise<void> {
    const shown = this.#session.state.serviceSettings;
    if (shown === null) return;
    const client = await this.#connection.client(shown.address);
    const settings = await client.changeSettings({ privacy: isLocalOnly ? { local_only: "on" } : {} });
    // Providers are no choice where nothing may leave.
    this.#change(shown.address, (now) => ({ ...now, settings, choices: null, drafts: {} }));
    this.#session.tell(words.settingsTaken);
    await this.findChoices();
  }

  async #play(sound: Uint8Array<ArrayBuffer>): Promise<void> {
    const { files, folders, pathIn, player } = this.#session.environment;
    const path = pathIn((await folders()).exportsPath, `listen-voice-${++this.#heard}.wav`);
    player.stop();
    const writer = await files.openWriter(path);
    await writer.write(0, sound.buffer).finally(() => writer.close());
    try {
      // 48 kHz, two channels, 24 bits.
      await player.play(path, sound.length / BYTES_PER_SECOND);
    } finally {
      await files.remove(path);
    }
  }

  #draft(part: WorkingPart, draft: PartDraft | undefined): void {
    const address = this.#session.state.serviceSettings?.address;
    if (address === undefined) return;
    this.#change(address, (now) => {
      const { [part]: _, ...drafts } = now.drafts;
      const { [part]: __, ...trials } = now.trials;
      return { ...now, trials, drafts: draft === undefined ? drafts : { ...drafts, [part]: draft } };
    });
  }

  #trial(address: string, part: WorkingPart, trial: ShownSettings["trials"][WorkingPart]): void {
    this.#change(address, (now) => {
      const { [part]: _, ...trials } = now.trials;
      return { ...now, trials: trial === undefined ? trials : { ...trials, [part]: trial } };
    });
  }

  /** Changes what is shown, unless another service is in use by now. */
  #change(address: string, change: (shown: ShownSettings) => ShownSettings): void {
    this.#session.store.update((state) =>
      state.serviceSettings?.address === address ? { ...state, serviceSettings: change(state.serviceSettings) } : state,
    );
  }
}

/** Bytes of a second of the sound that a service sends of a line. */
const BYTES_PER_SECOND = 48_000 * 2 * 3;
