import type { ModelsReply } from "../../src/contract/models.ts";
import { defined } from "../../src/core/objects.ts";
import { installFromFiles } from "../../src/workflow/models/install-from-files.ts";
import type { ServiceConnection } from "../session/connection.ts";
import { Cancellable, type Session } from "../session/session.ts";
import { ARCHIVE_ENDINGS, fileAt, isUnderWay, missingFiles, type ShownModels } from "../state/models-here.ts";
import { words } from "../words/words.ts";
import type { SettingsController } from "./settings-controller.ts";

/** Shows the models that the service's computer has or may have, and has them fetched, checked and removed. */
export class ModelsController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  readonly #settings: SettingsController;
  readonly #sending = new Cancellable();
  /** The service whose download is watched. */
  #watched: string | null = null;
  /** The model that is fetched or checked, as far as is known here. */
  #begun: string | null = null;
  /** The model that is checked, and not fetched. */
  #checked: string | null = null;
  /** The service that was asked last by a view that shows a model by the way. */
  #glanced: string | null = null;

  constructor(session: Session, connection: ServiceConnection, settings: SettingsController) {
    this.#session = session;
    this.#connection = connection;
    this.#settings = settings;
  }

  /** Looks what there is, and watches what is fetched. Nothing is shown where the service does not say. */
  async look(): Promise<void> {
    const { address } = this.#session.state.service;
    const reply = await (await this.#connection.client(address)).models();
    if (this.#session.state.service.address !== address) return;
    if (reply === null) this.#session.store.set({ modelsHere: null });
    else this.#show(address, reply);
    await this.#watch(address);
  }

  /** The same once for each service, whoever draws it how often. What goes wrong is told where somebody looks on purpose. */
  glance(): void {
    const { service, serviceSettings } = this.#session.state;
    const mayChange = serviceSettings?.address === service.address && serviceSettings.settings.may_change;
    if (!mayChange || this.#glanced === service.address) return;
    this.#glanced = service.address;
    this.#session.run(() => this.look().catch(() => undefined));
  }

  /** Asks about a model before something is done with it, or no more. */
  ask(question: ShownModels["question"]): void {
    this.#session.store.update((state) =>
      state.modelsHere === null ? state : { ...state, modelsHere: { ...state.modelsHere, question } },
    );
  }

  /** Has a model fetched, or goes on with one. Afterwards it is used where nothing else is set. */
  async fetch(model: string): Promise<void> {
    const { address } = this.#session.state.service;
    this.#begun = model;
    this.#checked = null;
    this.#show(address, await (await this.#connection.client(address)).fetchModel(model));
    this.#session.say(words.modelFetching({ model: this.#titleOf(model) }));
    await this.#watch(address);
  }

  /** Asks from which files a model is installed, with none picked yet. */
  askForFiles(model: string): void {
    this.ask({ model, about: "files", files: [] });
  }

  /** Lets a person pick files, or archives of them, for the model that is asked about. */
  async pickFiles(): Promise<void> {
    const picked = await this.#session.environment.pickFiles(this.#endings());
    const { modelsHere } = this.#session.state;
    if (picked.length === 0 || modelsHere?.question?.about !== "files") return;
    const { question } = modelsHere;
    // Of two with the same name the one that was picked last is meant.
    const others = question.files.filter(({ name }) => picked.every((one) => one.name !== name));
    const files = [...others, ...picked];
    this.ask({ ...question, files });
    const model = this.#modelNamed(question.model);
    if (model === undefined) return;
    const missing = missingFiles(model, files).length;
    this.#session.say(missing === 0 ? words.filesComplete : words.filesMissing({ count: missing }));
  }

  /** Endings of the files that the model may be made of. */
  #endings(): string[] {
    const asked = this.#session.state.modelsHere?.question?.model ?? "";
    const own = (this.#modelNamed(asked)?.addresses ?? []).map((address) => fileAt(address).split(".").at(-1) ?? "");
    const archives = ARCHIVE_ENDINGS.map((ending) => ending.split(".").at(-1) ?? "");
    return [...new Set([...archives, ...own])].filter((ending) => ending !== "");
  }

  /** Installs the model that is asked about from the files that were picked; where it does not come to that, they stay picked. */
  async installFromFiles(): Promise<void> {
    const { state, environment } = this.#session;
    const { address } = state.service;
    const question = state.modelsHere?.question;
    if (question?.about !== "files" || this.#sending.isUnderWay) return;
    const { model, files } = question;
    const { transfer, clock } = environment;
    const client = await this.#connection.client(address);
    this.ask(null);
    const tell = (share: number) => this.#send(address, { model, share });
    tell(0);
    this.#session.say(words.modelSending({ model: this.#titleOf(model) }));
    let isOrdered = false;
    try {
      await this.#sending.runQuietly(async (signal) => {
        const whole = files.map(({ name, path }) => ({
          path,
          filename: name,
          contentType: "application/octet-stream",
        }));
        const reply = await installFromFiles({ client, transfer, clock }, model, whole, { signal, onProgress: tell });
        isOrdered = true;
        this.#begun = model;
        this.#checked = null;
        this.#show(address, reply);
      });
    } finally {
      this.#send(address, undefined);
      if (!isOrdered) this.ask(question);
    }
    await this.#watch(address);
  }

  #send(address: string, sending: ShownModels["sending"]): void {
    this.#session.store.update((state) => {
      if (state.modelsHere?.address !== address) return state;
      const { sending: _, ...rest } = state.modelsHere;
      return { ...state, modelsHere: { ...rest, ...defined({ sending }) } };
    });
  }

  /** Ends the download, or the sending of files. What has arrived stays for the next time. */
  async pause(): Promise<void> {
    if (this.#sending.isUnderWay) {
      this.#session.say(words.heard.stopped);
      return this.#sending.cancel();
    }
    const { address } = this.#session.state.service;
    this.#show(address, await (await this.#connection.client(address)).cancelFetch());
  }

  /** Takes a model off the disk, and what has arrived of one. */
  async remove(model: string): Promise<void> {
    const title = this.#titleOf(model);
    const { address } = this.#session.state.service;
    this.#show(address, await (await this.#connection.client(address)).removeModel(model));
    this.#session.tell(words.modelRemoved({ model: title }));
    await this.#settings.look();
  }

  /** Reads all files of a model and holds them against what they have to be. */
  async check(model: string): Promise<void> {
    const { address } = this.#session.state.service;
    this.#begun = model;
    this.#checked = model;
    this.#show(address, await (await this.#connection.client(address)).checkModel(model));
    await this.#watch(address);
  }

  /** Asks again and again how far a download is, until it is over. One watch at a time. */
  async #watch(address: string): Promise<void> {
    const running = () => {
      const { modelsHere, service } = this.#session.state;
      const download = modelsHere?.reply.download;
      const isOurs = service.address === address && modelsHere?.address === address;
      return isOurs && download && isUnderWay(download.state) ? download : null;
    };
    if (this.#watched === address) return;
    this.#watched = address;
    try {
      for (let download = running(); download !== null && !this.#session.isClosed; download = running()) {
        this.#begun = download.model;
        await this.#session.environment.clock.sleep(LOOK_AGAIN_MS);
        const reply = await (await this.#connection.client(address)).models();
        if (reply !== null) this.#show(address, reply);
      }
    } finally {
      this.#watched = null;
    }
    const ended = this.#session.state.modelsHere?.reply.download;
    if (this.#session.isClosed || !ended || ended.model !== this.#begun) return;
    const wasChecked = this.#checked === ended.model;
    this.#begun = null;
    this.#checked = null;
    const said = wasChecked ? words.modelWhole : words.modelThere;
    if (ended.state === "done") this.#session.tell(said({ model: this.#titleOf(ended.model) }));
    // Who describes, hears and speaks may be another one now.
    await this.#settings.lookAfterFetch();
  }

  #titleOf(model: string): string {
    return this.#modelNamed(model)?.title ?? model;
  }

  #modelNamed(name: string) {
    return this.#session.state.modelsHere?.reply.models.find(({ id }) => id === name);
  }

  #show(address: string, reply: ModelsReply): void {
    this.#session.store.update((state) => {
      if (state.service.address !== address) return state;
      const before = state.modelsHere?.address === address ? state.modelsHere.question : null;
      // A question about what has changed meanwhile is answered.
      const isOpen = before !== null && reply.models.some(({ id }) => id === before.model);
      const { sending } = state.modelsHere?.address === address ? state.modelsHere : {};
      return { ...state, modelsHere: { address, reply, question: isOpen ? before : null, ...defined({ sending }) } };
    });
  }
}

/** How often it is asked how far a download is, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;
