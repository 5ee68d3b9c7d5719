import { type Contact, type ContactName, makeContact } from "../../src/host/contact.ts";
import { contactReport } from "../../src/workflow/first-run/trial-report.ts";
import type { Session } from "../session/session.ts";
import type { Message } from "../state/panel-state.ts";
import { words } from "../words/words.ts";

/** What nobody would notice: something else is done in its place. */
const UNNOTICED: ReadonlySet<ContactName> = new Set(["members", "sound"]);

/** Meets versions of the host: tries what no source says, once for each, and reports it. */
export class ContactController {
  readonly #session: Session;
  #isUnderWay = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Tries a host of a version that was not met before. What works otherwise than the editor would expect is told. */
  async meet(): Promise<void> {
    const { contact } = this.#session.environment;
    if (contact === undefined || contact.learnt.recall("contact") !== undefined) return;
    const made = await this.tryAgain();
    const details = (made?.answers ?? []).flatMap(({ name, outcome }) =>
      outcome === "differs" && !UNNOTICED.has(name) ? [words.contactDiffers[name]] : [],
    );
    if (details.length === 0 || this.#session.state.message !== null) return;
    this.#session.tell(words.contactMet({ version: contact.version }), { details });
  }

  /** Tries everything again. `null` where it is under way, or there is nothing to try. */
  async tryAgain(): Promise<Contact | null> {
    const { environment, store } = this.#session;
    const { contact, clock } = environment;
    if (contact === undefined || this.#isUnderWay) return null;
    this.#isUnderWay = true;
    try {
      const made = await makeContact(contact.trials, clock);
      const isOpen = ({ outcome }: Contact["answers"][number]) => outcome === "open";
      // What could not be seen is looked for again at the next opening, but for a service that does not run.
      const isMet = made.answers.every((answer) => !isOpen(answer) || answer.name === "loopback");
      if (isMet)
        contact.learnt.keep("contact", made.answers.map(({ name, outcome }) => `${name} ${outcome}`).join(", "));
      store.set({ contact: made });
      return made;
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** Makes buttons of the host's own element, or of the one that was found to be better. */
  async usePlainButtons(isPlain: boolean): Promise<void> {
    const { contact } = this.#session.environment;
    if (isPlain) contact?.learnt.keep("button", "button");
    else await this.tryAgain();
    this.#session.store.set({});
  }

  /** Gives the host more time between changes, or as much as it needs by what is known. */
  giveTime(isSlow: boolean): void {
    this.#session.environment.contact?.learnt.keep("pace", isSlow ? "slow" : "usual");
    this.#session.store.set({});
  }

  /** Copies a report without names, paths and keys, of what the host answers, and of what went wrong. */
  async copyReport(message: Message | null): Promise<void> {
    await this.#session.environment.copyText(this.#report(message));
    this.#session.tell(words.reportCopied);
  }

  #report(message: Message | null): string {
    const { environment, state } = this.#session;
    const { contact, versions, clock } = environment;
    const { sequence, sequenceFault, service, shownKey } = state;
    const told = message ?? (sequenceFault === null ? null : { ...sequenceFault, text: sequenceFault.sentence });
    const tried = message?.details ?? sequenceFault?.tried ?? [];
    return contactReport({
      versions,
      date: new Date(clock.now()).toISOString(),
      contact: state.contact,
      learnt: contact?.learnt.all ?? {},
      fault: told === null ? null : { code: told.code ?? "", sentence: told.text, tried },
      calls: contact?.calls() ?? [],
      secrets: [sequence?.name ?? "", service.address, shownKey ?? ""],
    });
  }
}
