import { AudioDescriptionError } from "../../src/core/error.ts";
import { isLocalAddress } from "../../src/core/local-address.ts";
import { explain } from "../../src/workflow/explain.ts";
import { addressFault, hostNameOf, maskedKey } from "../state/service-address.ts";
import { hostsSentTo } from "../state/service-settings.ts";
import { words } from "../words/words.ts";
import type { ServiceClient } from "./environment.ts";
import type { Session } from "./session.ts";

/** Nothing can be sent: the key or the address is missing. */
class NotConnectedError extends AudioDescriptionError<"unauthorized"> {}

/** A job that no service has: asking for it tells whether address and key are right, and starts nothing. */
const NO_JOB = "00000000-0000-4000-8000-000000000000";

/** Which service is used, with which key. */
export class Connection {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Reads the kept key of the service in use. */
  async load(): Promise<void> {
    const key = await this.#key(this.#session.state.service.address);
    this.#session.store.set({ shownKey: key === null ? null : maskedKey(key) });
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

  /** Forgets the key of the service in use. */
  async forgetKey(): Promise<void> {
    await this.#session.environment.secrets.forget(secretName(this.#session.state.service.address));
    this.#session.store.set({ shownKey: null, keyDraft: "", connection: { state: "untested" } });
  }

  /** Asks the service something harmless, to see whether address and key are right. Keeps a key in the field first. */
  async test(): Promise<void> {
    const { store } = this.#session;
    await this.keepKey();
    store.set({ connection: { state: "testing" } });
    try {
      const client = await this.client(this.#session.state.service.address);
      await client.getResults(NO_JOB);
      store.set({ connection: { state: "works" } });
    } catch (error) {
      const fault = explain(error);
      const isAnswer = fault.code === "not_found" || fault.code === "invalid_input";
      // A system that refuses plain http says no more than a service that does not run.
      const isPlain = fault.code === "connection_failed" && this.#session.state.service.address.startsWith("http:");
      const told = isPlain ? { ...fault, sentence: words.plainHttp, next: words.plainHttpNext } : fault;
      store.set({ connection: isAnswer ? { state: "works" } : { state: "fails", fault: told } });
    }
  }

  /** The line that says what leaves this computer. */
  badge(): string {
    const { service, serviceSettings } = this.#session.state;
    if (!isLocalAddress(service.address)) return words.badgeHosted({ host: hostNameOf(service.address) });
    // Where a service on this computer sends things, only its settings tell.
    if (serviceSettings?.address !== service.address) return words.badgeHere;
    const hosts = hostsSentTo(serviceSettings);
    return hosts.length === 0 ? words.badgeLocal : words.badgeSends({ hosts: hosts.join(", ") });
  }

  async #key(address: string): Promise<string | null> {
    return this.#session.environment.secrets.load(secretName(address));
  }
}

function secretName(address: string): string {
  return `key ${hostNameOf(address).toLowerCase()}`;
}
