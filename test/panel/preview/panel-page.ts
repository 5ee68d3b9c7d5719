import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Browser, BrowserContext, Frame, FrameLocator, Locator, Page, Route } from "playwright-core";
import { expect } from "vitest";
import type { Preview } from "../../../panel/preview/preview.ts";
import { english } from "../../../panel/words/strings.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import type { PremiereDouble } from "../../fakes/premiere/premiere.ts";
import type { ItemState, SequenceState } from "../../fakes/premiere/state.ts";

/** How many times faster than life the panel's pauses pass. */
const HASTE = "20";

/** Milliseconds by which the panel's timers and disk are late: a test that passes by luck fails with some 300. */
const LAG_MS = process.env["ASIDE_TEST_LAG_MS"] ?? "0";

/** How long a sight may take to appear, on a machine that does much else besides; a film of one's own may be long. */
const SIGHT_MS = process.env["ASIDE_JOURNEY_MEDIA"] === undefined ? 120_000 : 600_000;

declare global {
  var premiereDouble: PremiereDouble;
  var focusedId: () => string;
}

/** The panel in a browser, as a person has it before them, and the Premiere behind it. */
export class PanelPage {
  readonly page: Page;
  readonly panel: FrameLocator;
  readonly #context: BrowserContext;
  /** Name of the pretended computer: new and empty. */
  readonly computer = randomUUID();
  /** Exceptions that reached the host: there must be none. */
  readonly exceptions: string[] = [];
  /** Requests that the service answered, as `METHOD /path`. */
  readonly answered: string[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    this.panel = page.frameLocator("#panel");
  }

  /**
   * Opens the preview on a pretended computer of its own. `query` holds the preview's switches; `prepare` may put files
   * on the computer's disk before the panel opens; `firstScript` runs in each document before all others.
   */
  static async open(
    browser: Browser,
    preview: Preview,
    query: Record<string, string> = {},
    prepare: (computerFolder: string) => Promise<void> = async () => undefined,
    firstScript?: string,
  ): Promise<PanelPage> {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    if (firstScript !== undefined) await context.addInitScript(firstScript);
    context.setDefaultTimeout(SIGHT_MS);
    const page = await context.newPage();
    const opened = new PanelPage(context, page);
    page.on("pageerror", (error) => opened.exceptions.push(error.message));
    page.on("response", (reply) => {
      const { pathname } = new URL(reply.url());
      if (/^\/(enterprise|storage)\//.test(pathname)) opened.answered.push(`${reply.request().method()} ${pathname}`);
    });
    await prepare(join(preview.disksFolder, opened.computer));
    await page.goto(
      `${preview.url}/?${new URLSearchParams({ haste: HASTE, lag: LAG_MS, computer: opened.computer, ...query })}`,
    );
    await opened.waitUntilLoaded();
    return opened;
  }

  async close(): Promise<void> {
    await this.#context.close();
  }

  /** A control by its stable name. */
  control(id: string): Locator {
    return this.panel.locator(`#${id}`);
  }

  async click(id: string): Promise<void> {
    await this.control(id).click();
  }

  /** Does what stands in the menu of the view, which is opened where it is closed. */
  async choose(id: string): Promise<void> {
    if ((await this.control("menu-rows").count()) === 0) await this.click("menu");
    await this.click(id);
  }

  async go(view: string): Promise<void> {
    await this.click(`tab-${view}`);
  }

  /** Presses Tab until a control has the focus. @throws Error when Tab never leads there. */
  async tabTo(id: string, direction: "on" | "back" = "on"): Promise<void> {
    const visited: string[] = [];
    for (let presses = 0; presses < 120; presses++) {
      await this.page.keyboard.press(direction === "on" ? "Tab" : "Shift+Tab");
      const focused = await this.#frame().evaluate(() => globalThis.focusedId());
      if (focused === id) return;
      visited.push(focused);
    }
    throw new Error(`Tab does not lead to ${id}, but to ${visited.join(" ")}`);
  }

  /** Waits until words are to be read in the panel. */
  async sees(words: string | RegExp, where = "#aside-root"): Promise<void> {
    await this.waitFor(this.panel.locator(where, { hasText: words }).first());
  }

  /** Waits for a sight. @throws Error with what is to be read in the panel instead. */
  async waitFor(sight: Locator): Promise<void> {
    try {
      await sight.waitFor();
    } catch (cause) {
      const text = await this.panel.locator("#aside-root").innerText();
      throw new Error(`not seen: ${sight.toString()}\nThe panel says: ${text}`, { cause });
    }
  }

  /** Types address and key of the preview's own service and tests them. */
  async connect(preview: Preview, key = preview.apiKey): Promise<void> {
    await this.click("badge");
    if (!(await this.control("service-address").isVisible())) await this.click("section-another-service");
    await this.control("service-address").fill(preview.url);
    await this.control("service-address").press("Enter");
    await this.control("service-key").fill(key);
    await this.click("test-connection");
    await this.waitFor(this.panel.locator("#connection-test p", { hasText: /✓|✕/ }).first());
  }

  /** Orders a description of the sequence with the form as it stands. */
  async order(): Promise<void> {
    await this.goDescribe();
    await this.panel.locator('[data-view="describe"] .primary').click();
  }

  /** Goes to the form; where the panel asks who writes, somebody does by hand. */
  async goDescribe(): Promise<void> {
    await this.go("describe");
    const byHand = this.control("write-by-hand");
    // Until the service has said which model it has, nobody is asked.
    await this.waitFor(byHand.or(this.panel.locator("#writer", { hasNotText: english.writerHere })).first());
    if (await byHand.isVisible()) await byHand.click();
  }

  /** Waits until the result is open. */
  async waitForReview(): Promise<void> {
    await this.waitFor(this.panel.locator('[data-view="review"] #cues'));
  }

  /** Waits until the panel has read what it kept and knows its sequence. */
  async waitUntilLoaded(): Promise<void> {
    await this.waitFor(this.panel.locator("[data-view]", { hasNotText: english.loading }));
    await this.waitFor(this.panel.locator("#sequence"));
  }

  /** Closes the panel, as a person closes its tab; Premiere goes on. */
  async closePanel(): Promise<void> {
    await this.page.click("#close");
    await expect.poll(() => this.page.locator("#panel").getAttribute("src")).toBe("about:blank");
    await this.panel.locator("#aside-root").waitFor({ state: "detached" });
  }

  async openPanel(): Promise<void> {
    await this.page.click("#open");
    await this.waitUntilLoaded();
  }

  /** Requests whose path matches are kept waiting until the function returned is called. */
  async hold(pattern: RegExp): Promise<() => Promise<void>> {
    const held: Route[] = [];
    const matches = (url: URL) => pattern.test(url.pathname);
    await this.page.route(matches, (route) => void held.push(route));
    return async () => {
      await this.page.unroute(matches);
      for (const route of held) await route.continue().catch(() => undefined);
    };
  }

  /** Turns switches of the Premiere behind the panel. */
  async misbehave(faults: Partial<Faults>): Promise<void> {
    await this.#frame().evaluate(
      (given) => void Object.assign(globalThis.premiereDouble.machine.faults, given),
      faults,
    );
  }

  /** The project as Premiere holds it: its active sequence, and what its bins hold. */
  async project(): Promise<SeenProject> {
    return this.#frame().evaluate(() => {
      const { machine } = globalThis.premiereDouble;
      const { items, sequences, activeSequenceId } = machine.project(machine.activeProjectId ?? "");
      const sequence = sequences.get(activeSequenceId ?? "");
      if (sequence === undefined) throw new Error("no sequence is active");
      const { properties, ...rest } = sequence;
      return { items: [...items.values()], sequence: rest, notes: [...properties.keys()] };
    });
  }

  /** Takes the last step of the undo history back, as Premiere's own Undo does. Returns its label. */
  async undo(): Promise<string | null> {
    return this.#frame().evaluate(() => globalThis.premiereDouble.user.undo());
  }

  /** Does the last undone step again. */
  async redo(): Promise<string | null> {
    return this.#frame().evaluate(() => globalThis.premiereDouble.user.redo());
  }

  /** Labels of the undo history, oldest first. */
  async undoLabels(): Promise<string[]> {
    return this.#frame().evaluate(() => globalThis.premiereDouble.machine.undoStack.map(({ label }) => label));
  }

  /** Changes the words of one of our markers, as the editor does in Premiere. */
  async changeMarker(index: number, words: string): Promise<void> {
    await this.#frame().evaluate(
      ([at, text]) => {
        const { machine, user } = globalThis.premiereDouble;
        const { sequences, activeSequenceId } = machine.project(machine.activeProjectId ?? "");
        const sequence = sequences.get(activeSequenceId ?? "");
        const marker = sequence?.markers.filter(({ name }) => name.startsWith("AD "))[at];
        if (sequence === undefined || marker === undefined) throw new Error("no such marker");
        const comments = marker.comments.replace(/^.*/, text);
        user.changeMarker(sequence.id, marker.guid, { comments });
      },
      [index, words] as const,
    );
  }

  /** Cuts the first seconds of every track away, as the editor does in Premiere, and closes the gap. */
  async recut(seconds: number): Promise<void> {
    await this.#frame().evaluate((cut) => {
      const { machine, user } = globalThis.premiereDouble;
      const id = machine.project(machine.activeProjectId ?? "").activeSequenceId ?? "";
      user.editSequence(id, "Ripple Trim", (sequence) => {
        const ticks = 254_016_000_000n * BigInt(cut);
        const trimmed = (tracks: typeof sequence.audioTracks) =>
          tracks.map((track) => ({
            ...track,
            items: track.items.map((item) => {
              const lost = item.start < ticks ? ticks - item.start : 0n;
              const start = item.start + lost - ticks;
              return { ...item, start, end: item.end - ticks, inPoint: item.inPoint + lost };
            }),
          }));
        return {
          ...sequence,
          videoTracks: trimmed(sequence.videoTracks),
          audioTracks: trimmed(sequence.audioTracks),
        };
      });
    }, seconds);
  }

  /** Inserts picture and sound that the film never showed, as the editor does, and moves in and out around it. Seconds. */
  async insertNew(at: number, length: number, points: { readonly in: number; readonly out: number }): Promise<void> {
    await this.#frame().evaluate(
      ([start, seconds, marks]) => {
        const { machine, user } = globalThis.premiereDouble;
        const id = machine.project(machine.activeProjectId ?? "").activeSequenceId ?? "";
        const ticks = (value: number) => 254_016_000_000n * BigInt(value);
        const [from, long] = [ticks(start), ticks(seconds)];
        user.editSequence(id, "Insert", (sequence) => {
          const opened = (tracks: typeof sequence.audioTracks) =>
            tracks.map((track) => ({
              ...track,
              items: track.items.flatMap((item) => {
                if (item.start >= from || item.end <= from || item.name.startsWith("aside-")) return [item];
                const rest = { ...item, id: `${item.id}-rest`, start: from + long, end: item.end + long };
                const fresh = { ...item, id: `${item.id}-new`, start: from, end: from + long };
                return [
                  { ...item, end: from },
                  { ...fresh, inPoint: item.inPoint + ticks(100_000) },
                  { ...rest, inPoint: item.inPoint + from - item.start },
                ];
              }),
            }));
          const { videoTracks, audioTracks } = sequence;
          const moved = { inPoint: ticks(marks.in), outPoint: ticks(marks.out) };
          return { ...sequence, ...moved, videoTracks: opened(videoTracks), audioTracks: opened(audioTracks) };
        });
      },
      [at, length, points] as const,
    );
  }

  /** Evaluates an expression in the panel's document. */
  async evaluateInPanel<Answer>(expression: string): Promise<Answer> {
    return this.#frame().evaluate<Answer>(expression);
  }

  /** Rules of Premiere's scripting that were broken on the way. */
  async violations(): Promise<readonly string[]> {
    return this.#frame().evaluate(() => globalThis.premiereDouble.machine.violations);
  }

  #frame(): Frame {
    const frame = this.page.frames().find((one) => one.url().endsWith("/panel/"));
    if (frame === undefined) throw new Error("the panel is closed");
    return frame;
  }
}

/** A project without its maps, which do not travel. */
export interface SeenProject {
  readonly items: readonly ItemState[];
  readonly sequence: Omit<SequenceState, "properties">;
  /** Names of what is kept with the sequence. */
  readonly notes: readonly string[];
}
