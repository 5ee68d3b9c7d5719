import type { Pairing } from "../../src/contract/pairing.ts";
import { AudioDescriptionError } from "../../src/core/error.ts";
import { isLocalAddress } from "../../src/core/ports.ts";
import { explain } from "../../src/workflow/explain.ts";
import { reachOf } from "../state/reach.ts";
import { addressFault, hostNameOf, maskedKey } from "../state/service-address.ts";
import { words } from "../words/words.ts";
import type { ServiceClient } from "./environment.ts";
import type { Session } from "./session.ts";

/** Nothing can be sent: the key or the address is missing. */
class NotConnectedError extends AudioDescriptionError<"unauthorized"> {}

/** A job that no service has: asking for it tells whether address and key are right, and starts nothing. */
const NO_JOB = "00000000-0000-4000-8000-000000000000";

/** Which service is used, with which key. */
export class ServiceConnection {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /**
   * Looks for the service that runs for this user, and takes it up where no other one is in use: it needs no address and no
   * key. Reads the kept key of any other.
   */
  async load(): Promise<void> {
    const { store, environment } = this.#session;
    const companion = await this.#companion();
    const { service, shownKey } = store.state;
    const found = companion === null ? null : { address: companion.address, version: companion.version };
    const isOwn = service.address === environment.localAddress || store.state.companion?.address === service.address;
    store.set({ companion: found });
    // One that was started again may listen at another port.
    if (found !== null && isOwn && found.address !== service.address) {
      const { address } = found;
      store.set({ service: { ...service, address }, addressDraft: address, connection: { state: "untested" } });
      this.#session.keepPreferences();
    }
    const key = await this.#key(store.state.service.address, companion);
    const shown = key === null ? null : maskedKey(key);
    if (shown !== shownKey) store.set({ shownKey: shown });
  }

  /** Has Aside started on this computer, and takes it up as soon as it answers. */
  async start(): Promise<void> {
    const { environment } = this.#session;
    if ((await environment.startCompanion?.().catch(() => false)) !== true)
      return this.#session.tell(words.notStarted, { isFault: true });
    for (let waited = 0; waited < LONGEST_START_MS && !this.#session.isClosed; waited += LOOK_AGAIN_MS) {
      await environment.clock.sleep(LOOK_AGAIN_MS);
      await this.load();
      if (this.#session.state.companion !== null) return;
    }
    this.#session.tell(words.notStarted, { isFault: true });
  }

  /** A client of a service. @throws NotConnectedError when there is no key for it. */
  async client(address: string): Promise<ServiceClient> {
    const key = await this.#key(address);
    if (key === null) throw new NotConnectedError("unauthorized", "no key is kept for this service");
    return this.#session.environment.connect({ address, key });
  }

  /** Takes up the address in the field. */
  async useAddress(typed: string): Promise<void> {
    const { store } = this.#session;
    const address = typed.trim().replace(/\/+$/, "");
    store.set({ addressDraft: typed, connection: { state: "untested" } });
    if (addressFault(address) !== null) return;
    store.update((state) => ({ ...state, addressDraft: address, service: { ...state.service, address } }));
    this.#session.keepPreferences();
    await this.load();
  }

  /** Keeps the key in the field, securely, for the service in use; the field is emptied. */
  async keepKey(): Promise<void> {
    const { store, environment, state } = this.#session;
    const key = state.keyDraft.trim();
    if (key === "") return;
    await environment.secrets.save(secretName(state.service.address), key);
    store.set({ keyDraft: "", shownKey: maskedKey(key), connection: { state: "untested" } });
  }

  /**
   * Gets a key of the panel's own by the code in the field, which the page of the service in use shows, and keeps it securely.
   * A code that is refused is told as such; the field is emptied whatever comes of it, because no code counts twice.
   */
  async pair(): Promise<void> {
    const { store, environment, state } = this.#session;
    const { address } = state.service;
    const code = state.codeDraft.trim();
    if (code === "") return;
    store.set({ codeDraft: "" });
    try {
      const key = await environment.connect({ address, key: NO_KEY }).pair(code);
      await environment.secrets.save(secretName(address), key);
      if (this.#session.state.service.address === address) store.set({ keyDraft: "", shownKey: maskedKey(key) });
    } catch (error) {
      const { code: fault } = explain(error);
      if (fault === "unauthorized") return this.#session.tell(words.codeRefused, { isFault: true });
      if (fault === "not_found") return this.#session.tell(words.codeUnknown, { isFault: true });
      throw error;
    }
    await this.test();
  }

  /** Forgets the key of the service in use. */
  async forgetKey(): Promise<void> {
    await this.#session.environment.secrets.forget(secretName(this.#session.state.service.address));
    this.#session.store.set({ shownKey: null, keyDraft: "", connection: { state: "untested" } });
  }

  /** Asks the service something harmless, to see whether address and key are right. Keeps a key in the field first. */
  async test(): Promise<void> {
    const { store } = this.#session;
    await this.keepKey();
    await this.load();
    store.set({ connection: { state: "testing" } });
    try {
      const client = await this.client(this.#session.state.service.address);
      await client.getResults(NO_JOB);
      store.set({ connection: { state: "works" } });
      this.noteAnswer(null);
    } catch (error) {
      const fault = explain(error);
      if (!(error instanceof NotConnectedError)) this.noteAnswer(error);
      const isAnswer = fault.code === "not_found" || fault.code === "invalid_input";
      // A system that refuses plain http says no more than a service that does not run.
      const isPlain = fault.code === "connection_failed" && this.#session.state.service.address.startsWith("http:");
      const told = isPlain ? { ...fault, sentence: words.plainHttp, next: words.plainHttpNext } : fault;
      store.set({ connection: isAnswer ? { state: "works" } : { state: "fails", fault: told } });
    }
  }

  /** Notes whether the service in use answered, by the error of a request; `null` where it did as it was asked. */
  noteAnswer(error: unknown): void {
    const { address } = this.#session.state.service;
    const isThere = error === null || explain(error).code !== "connection_failed";
    this.#session.store.set({ answered: { address, isThere } });
  }

  /** The line that says what leaves this computer. */
  badge(): string {
    const { state } = this.#session;
    const { address } = state.service;
    const reach = reachOf(state);
    if (reach.kind === "hosted") return words.badgeHosted({ host: hostNameOf(address) });
    if (reach.kind === "known") {
      return reach.hosts.length === 0 ? words.badgeLocal : words.badgeSends({ hosts: reach.hosts.join(", ") });
    }
    return { off: words.badgeOff, silent: words.badgeSilent, untried: words.badgeUntried, here: words.badgeHere }[
      reach.kind
    ];
  }

  /** What the service of this user left; `null` where none runs, or its file cannot be read. */
  #companion(): Promise<Pairing | null> {
    return this.#session.environment.findCompanion().catch(() => null);
  }

  /** @param known The companion, where it was just looked for. */
  async #key(address: string, known?: Pairing | null): Promise<string | null> {
    const companion = known === undefined && isLocalAddress(address) ? await this.#companion() : known;
    if (companion?.address === address) return companion.key;
    return this.#session.environment.secrets.load(secretName(address));
  }
}

/** Stands for the key where none is needed. */
const NO_KEY = "none";

/** How long a companion may take until it runs, and how often it is looked for, in milliseconds. */
const LONGEST_START_MS = 30_000;
const LOOK_AGAIN_MS = 500;

function secretName(address: string): string {
  return `key ${hostNameOf(address).toLowerCase()}`;
}
