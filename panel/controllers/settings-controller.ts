import type { ModelsReply } from "../../src/contract/models.ts";
import type { NumberPart } from "../../src/contract/service-settings.ts";
import { bytesFromBase64 } from "../../src/core/bytes.ts";
import { saysSettingsDamaged } from "../../src/workflow/errors.ts";
import type { ServiceConnection } from "../session/connection.ts";
import type { Session } from "../session/session.ts";
import type { PanelState } from "../state/panel-state.ts";
import {
  isUnderWay,
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
  /** The service whose download is watched. */
  #watched: string | null = null;

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
      const untouched = { choices: null, drafts: {}, numbers: {}, models: null, modelToFetch: null };
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
      if (modelEstimate !== before) this.#session.store.set({ modelEstimate });
    });
  }

  /** Looks what models there are, and watches what is fetched. */
  async findModels(): Promise<void> {
    const shown = this.#session.state.serviceSettings;
    if (shown === null || !shown.settings.may_change) return;
    this.#showModels(shown.address, await (await this.#connection.client(shown.address)).models());
    await this.#watchPull(shown.address);
  }

  /** Chooses what is to be fetched. Nothing is fetched yet. */
  chooseModelToFetch(name: string | null): void {
    const address = this.#session.state.serviceSettings?.address;
    if (address !== undefined) this.#change(address, (now) => ({ ...now, modelToFetch: name }));
  }

  /** Fetches the model that is chosen: gigabytes, from the internet. Afterwards it is among the choices. */
  async fetchModel(): Promise<void> {
    const shown = this.#session.state.serviceSettings;
    if (shown === null || shown.modelToFetch === null) return;
    const client = await this.#connection.client(shown.address);
    this.#showModels(shown.address, await client.fetchModel(shown.modelToFetch));
    await this.#watchPull(shown.address);
  }

  /** Ends what is fetched. What has arrived stays there, for the next time. */
  async cancelFetch(): Promise<void> {
    const shown = this.#session.state.serviceSettings;
    if (shown === null) return;
    this.#showModels(shown.address, await (await this.#connection.client(shown.address)).cancelFetch());
  }

  /** Asks again and again how far a download is, until it is over. One watch at a time. */
  async #watchPull(address: string): Promise<void> {
    const isRunning = () => {
      const { serviceSettings } = this.#session.state;
      return serviceSettings?.address === address && isUnderWay(serviceSettings.models?.download ?? null);
    };
    if (this.#watched === address || !isRunning()) return;
    this.#watched = address;
    try {
      while (isRunning() && !this.#session.isClosed) {
        await this.#session.environment.clock.sleep(LOOK_AGAIN_MS);
        this.#showModels(address, await (await this.#connection.client(address)).models());
      }
    } finally {
      this.#watched = null;
    }
    // What was fetched can be chosen now.
    this.#change(address, (now) => ({ ...now, choices: null, drafts: {}, modelToFetch: null }));
    await this.findChoices();
  }

  #showModels(address: string, models: ModelsReply | null): void {
    this.#change(address, (now) => ({ ...now, models }));
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
    this.#change(shown.address, (now) => ({ ...now, settings, choices: null, drafts: {}, models: null }));
    await this.findChoices();
    await this.findModels();
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

/** How often it is asked how far a download is, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;

/** Bytes of a second of the sound that a service sends of a line. */
const BYTES_PER_SECOND = 48_000 * 2 * 3;
