import type { Actions } from "../panel/controllers/actions.ts";
import type { PanelEvent } from "../panel/document/dom.ts";
import { type Child, type ElementNode, element } from "../panel/document/element.ts";
import type { PanelState } from "../panel/state/panel-state.ts";
import { beside, button, section, text, textField, typedText } from "../panel/views/controls.ts";
import { settingsPart } from "../panel/views/settings-part.ts";
import { distinctNames, sizeText } from "../panel/words/words.ts";
import type { BackupReply, DeskKey, DeskState, ExamineReply } from "../src/contract/page.ts";
import type { Desk } from "./desk.ts";
import { pageWords } from "./page-words.ts";

/** What came of what was asked of the service; `null` until it was asked, `waiting` meanwhile. */
type Asked<Reply> = Reply | "waiting" | null;

/** The service as its administrator sees it: who does the work, the disk, keys, health, backup and log. */
export class ServiceView {
  readonly #desk: Desk;
  readonly #actions: Actions;
  #state: DeskState | null = null;
  #keyName = "";
  #newKey: string | null = null;
  /** The code that is shown for a panel; `null` while none is, and once it has ended. */
  #pairingCode: string | null = null;
  #health: Asked<ExamineReply> = null;
  #backup: Asked<BackupReply> = null;
  #log: readonly string[] | null = null;
  #isLooking = false;

  constructor(desk: Desk, actions: Actions) {
    this.#desk = desk;
    this.#actions = actions;
  }

  /** Draws it; what the service keeps is asked for when it first comes into sight. */
  draw(state: PanelState): readonly Child[] {
    if (this.#state === null && !this.#isLooking) this.#look();
    return [...settingsPart(state, this.#actions), ...(this.#state === null ? [] : this.#sections(this.#state, state))];
  }

  #sections(kept: DeskState, { openSections }: PanelState): readonly ElementNode[] {
    const part = (id: string, title: string, summary: string, ...children: readonly Child[]) =>
      section(
        `service-${id}`,
        title,
        summary,
        openSections.includes(`service-${id}`),
        (name) => this.#actions.formController.toggleSection(name),
        ...children,
      );
    const facts = pageWords.diskFacts({
      media: kept.media.count,
      mediaSize: sizeText(kept.media.bytes),
      results: kept.results.count,
      resultSize: sizeText(kept.results.bytes),
      free: sizeText(kept.free_bytes),
    });
    const { media_days, result_days } = kept.retention;
    const { version, new_version: newVersion } = kept;
    return [
      ...(newVersion === null ? [] : [text(pageWords.newVersion({ newVersion, version }), "line")]),
      part(
        "disk",
        pageWords.disk,
        facts,
        text(facts),
        text(pageWords.keptFor({ media: daysText(media_days), results: daysText(result_days) }), "hint"),
      ),
      part("keys", pageWords.keys, String(kept.keys.length), this.#keys(kept.keys)),
      part("health", pageWords.health, "", this.#healthLines()),
      part("backup", pageWords.backUp, "", this.#backupLines()),
      part("log", pageWords.log, "", this.#logLines()),
    ];
  }

  #keys(keys: readonly DeskKey[]): Child {
    const names = distinctNames(keys, [({ id, name }) => (name === "" ? id : name), ({ id }) => id]);
    return [
      keys.length === 0 ? text(pageWords.noKeys, "hint") : null,
      keys.map(({ id, name, is_administrator }, index) =>
        element(
          "div",
          { class: "actions", key: id },
          element(
            "span",
            { class: "grow" },
            [name === "" ? id : name, id, ...(is_administrator ? [pageWords.settingsToo] : [])].join(" · "),
          ),
          button(`withdraw-${id}`, pageWords.withdrawKey, () => this.#withdraw(id, names[index] ?? id), {
            "aria-label": `${pageWords.withdrawKey}: ${names[index]}`,
          }),
        ),
      ),
      element(
        "div",
        { class: "actions" },
        beside(
          pageWords.keyName,
          textField("key-name", pageWords.keyName, this.#keyName, {
            oninput: (event: PanelEvent) => {
              this.#keyName = typedText(event);
              this.#draw();
            },
          }),
        ),
        button(
          "make-key",
          pageWords.makeKey,
          () =>
            this.#do(async () => {
              this.#newKey = (await this.#desk.newKey(this.#keyName.trim())).key;
              this.#keyName = "";
              // Not the key: whoever is in the room would hear it.
              this.#actions.session.say(pageWords.keyMade);
            }),
          { disabled: this.#keyName.trim() === "" },
        ),
      ),
      this.#pairing(),
      this.#newKey === null ? null : text(pageWords.newKey({ key: this.#newKey }), "line"),
    ];
  }

  /** A code for a panel elsewhere, as long as it counts. */
  #pairing(): Child {
    const code = this.#pairingCode;
    return [
      button("pairing-code", pageWords.showCode, () =>
        this.#do(async () => {
          const made = await this.#desk.newPairingCode();
          this.#pairingCode = made.code;
          this.#actions.session.say(pairingText(made.code));
          setTimeout(() => {
            if (this.#pairingCode !== made.code) return;
            this.#pairingCode = null;
            this.#actions.session.say(pageWords.pairingCodeEnded);
            this.#draw();
          }, made.expires_seconds * 1_000);
        }),
      ),
      element("div", { id: "pairing" }, code === null ? null : text(pairingText(code), "line")),
    ];
  }

  #healthLines(): Child {
    const health = this.#health;
    return [
      button("examine", pageWords.examine, () => this.#ask("health", () => this.#desk.examine()), {
        disabled: health === "waiting",
      }),
      element(
        "div",
        { id: "health" },
        health === "waiting" ? text(pageWords.examining) : null,
        health === null || health === "waiting"
          ? null
          : health.findings.map((finding) =>
              text(healthText(finding), { good: "line", warning: "warning", bad: "fault" }[finding.state]),
            ),
      ),
    ];
  }

  #backupLines(): Child {
    const backup = this.#backup;
    const said = backup === null ? "" : backup === "waiting" ? pageWords.backingUp : backupText(backup);
    return [
      button("back-up", pageWords.backUp, () => this.#ask("backup", () => this.#desk.backUp()), {
        disabled: backup === "waiting",
      }),
      element("div", { id: "backup" }, said),
    ];
  }

  #logLines(): Child {
    return [
      button("show-log", pageWords.showLog, () =>
        this.#do(async () => {
          const { lines } = await this.#desk.log();
          this.#log = lines;
          this.#actions.session.say(lines.length === 0 ? pageWords.noLog : pageWords.logLines({ count: lines.length }));
        }),
      ),
      this.#log === null
        ? null
        : this.#log.length === 0
          ? text(pageWords.noLog, "hint")
          : element("pre", { class: "log", tabindex: "0", "aria-label": pageWords.log }, this.#log.join("\n")),
    ];
  }

  #ask<Reply>(what: "health" | "backup", ask: () => Promise<Reply>): void {
    const { session } = this.#actions;
    const put = (asked: Asked<Reply>) => {
      // The field of that name takes what the request of that name gives.
      if (what === "health") this.#health = asked as Asked<ExamineReply>;
      else this.#backup = asked as Asked<BackupReply>;
      this.#draw();
    };
    put("waiting");
    session.say(what === "health" ? pageWords.examining : pageWords.backingUp);
    session.run(async () => {
      put(
        await ask().catch((error: unknown) => {
          put(null);
          throw error;
        }),
      );
      const [health, backup] = [this.#health, this.#backup];
      if (what === "backup" && backup !== null && backup !== "waiting") session.say(backupText(backup));
      if (what === "health" && health !== null && health !== "waiting") session.say(healthWords(health));
    });
  }

  #withdraw(id: string, name: string): void {
    this.#do(async () => {
      await this.#desk.withdrawKey(id);
      this.#actions.session.say(pageWords.keyWithdrawn({ name }));
    });
  }

  #do(work: () => Promise<unknown>): void {
    this.#actions.session.run(async () => {
      await work();
      await this.#refresh();
    });
  }

  #look(): void {
    this.#isLooking = true;
    this.#actions.session.run(() =>
      this.#refresh().finally(() => {
        this.#isLooking = false;
      }),
    );
  }

  async #refresh(): Promise<void> {
    this.#state = await this.#desk.state();
    this.#draw();
  }

  #draw(): void {
    this.#actions.session.store.set({});
  }
}

function pairingText(code: string): string {
  return pageWords.pairingCode({ code: code.replace(/(?<=^...)/, " ") });
}

function backupText({ objects, bytes, folder }: BackupReply): string {
  return pageWords.backedUp({ objects, size: sizeText(bytes), folder });
}

function healthText({ name, state, detail }: ExamineReply["findings"][number]): string {
  return `${pageWords.healthStates[state]} ${name}: ${detail}`;
}

/** What was found of the service's health, as it is said: what is good needs no words. */
function healthWords({ findings }: ExamineReply): string {
  const amiss = findings.filter(({ state }) => state !== "good");
  return amiss.length === 0
    ? pageWords.allGood({ count: findings.length })
    : amiss.map(({ name, detail }) => `${name}: ${detail}`).join(". ");
}

function daysText(days: number | null): string {
  return days === null ? pageWords.forEver : pageWords.days({ count: days });
}
