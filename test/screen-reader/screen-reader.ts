import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { wholePath } from "../../src/engine/isolate/programs.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type SpeechServer, startSpeechServer, type Utterance } from "./speech-server.ts";

/** Programs that a screen reader needs around it, where Debian and Ubuntu have them. */
const PROGRAMS = {
  orca: "/usr/bin/orca",
  firefox: "/usr/bin/firefox-esr",
  Xvfb: "/usr/bin/Xvfb",
  openbox: "/usr/bin/openbox",
  xdotool: "/usr/bin/xdotool",
  dbusDaemon: "/usr/bin/dbus-daemon",
  dbusSend: "/usr/bin/dbus-send",
  pulseaudio: "/usr/bin/pulseaudio",
};

/** The programs that are not installed: without one of them, nobody reads the screen. */
export const missingPrograms: readonly string[] = Object.values(PROGRAMS).filter((path) => !existsSync(path));

/** How long the reader may take for what it is waited for, in milliseconds: under load it answers after seconds. */
const LONGEST_MS = 30_000;

/**
 * How long nothing more is said before a key counts as answered, in milliseconds: one of many on the way to a control, any
 * other; and how long a key may take that says nothing.
 */
const QUIET_MS = { onTheWay: 120, atRest: 350 };
const SILENT_MS = 2_500;

/** The browser's settings: nothing that greets, asks or calls home, and accessibility on. */
const PREFERENCES: Readonly<Record<string, boolean | number | string>> = {
  "accessibility.force_disabled": -1,
  "app.update.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.sessionstore.resume_from_crash": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.startup.page": 0,
  "browser.tabs.warnOnClose": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "datareporting.policy.dataSubmissionPolicyBypassNotification": true,
  "media.autoplay.default": 0,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "termsofuse.bypassNotification": true,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "trailhead.firstrun.didSeeAboutWelcome": true,
};

/** Orca without the echo of keys, which a person has on and a transcript drowns in. */
const ORCA_SETTINGS = {
  general: { enableKeyEcho: false },
  pronunciations: {},
  keybindings: {},
  profiles: {
    default: { profile: ["Default", "default"], enableKeyEcho: false, pronunciations: {}, keybindings: {} },
  },
};

/**
 * A person who hears the screen: Orca and Firefox on a screen, a bus and a loudspeaker that nobody else has. Keys go in, and
 * what Orca gives its voice comes out.
 */
export class ScreenReader {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #speech: SpeechServer;
  #browser: ChildProcess | null = null;
  /** How many utterances were waited for already. */
  #heard = 0;

  private constructor(folder: string, environment: NodeJS.ProcessEnv, speech: SpeechServer) {
    this.#folder = folder;
    this.#environment = environment;
    this.#speech = speech;
  }

  /** Starts the screen, the bus and Orca; it has said that it is on. */
  static async start(): Promise<ScreenReader> {
    const folder = await temporaryFolder();
    const home = homeIn(folder);
    const settings = join(home, ".local/share/orca");
    await mkdir(settings, { recursive: true });
    await mkdir(join(folder, "run"), { mode: 0o700 });
    await writeFile(join(settings, "user-settings.conf"), JSON.stringify(ORCA_SETTINGS));
    // Orca asks for others of its user, and ends them. One on another screen may stay.
    const programs = join(folder, "bin");
    await mkdir(programs);
    await writeFile(join(programs, "pgrep"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const speechPath = join(folder, "speech");
    const speech = await startSpeechServer(speechPath);
    const environment: NodeJS.ProcessEnv = {
      HOME: home,
      PATH: `${programs}:/usr/bin:/bin`,
      LANG: "C.UTF-8",
      TMPDIR: folder,
      XDG_RUNTIME_DIR: join(folder, "run"),
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, "run/bus")}`,
      SPEECHD_ADDRESS: `unix_socket:${speechPath}`,
      GTK_MODULES: "gail:atk-bridge",
      GNOME_ACCESSIBILITY: "1",
      NO_AT_BRIDGE: "0",
      MOZ_CRASHREPORTER_DISABLE: "1",
    };
    const reader = new ScreenReader(folder, environment, speech);
    try {
      await reader.#startAll();
    } catch (error) {
      await reader.close();
      throw error;
    }
    return reader;
  }

  /** The person's home folder, which dialogs of the system call `~`. */
  get home(): string {
    return homeIn(this.#folder);
  }

  /** Opens an address in a new browser; the one before goes. */
  async open(address: string): Promise<void> {
    await this.closeBrowser();
    // A profile of its own: one that was just left may still be held.
    const profile = await mkdtemp(join(this.#folder, "profile-"));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
    await writeFile(join(profile, "user.js"), lines.join("\n"));
    this.#browser = this.#start(PROGRAMS.firefox, "--profile", profile, "--no-remote", address);
    await this.#until("a browser window", () =>
      promisify(execFile)(wholePath(PROGRAMS.xdotool), ["search", "--onlyvisible", "--class", "firefox"], {
        env: this.#environment,
      }),
    );
  }

  /** Presses keys, by the names that X has for them (`shift+Tab`, `Return`), each when the one before was answered. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#answered(["key", "--clearmodifiers", key], QUIET_MS.atRest);
  }

  /** Ends what the reader says, by the key for it. */
  async silence(): Promise<void> {
    await this.#until("silence", async () => {
      await promisify(execFile)(wholePath(PROGRAMS.xdotool), ["key", "Control_L"], { env: this.#environment });
      await sleep(QUIET_MS.atRest);
      if (this.#speech.utterances.some(({ state }) => state === "waiting" || state === "speaking"))
        throw new Error("it goes on");
    });
  }

  /** Types words, as a person does. */
  async type(words: string): Promise<void> {
    await this.#answered(["type", "--delay", "30", words], QUIET_MS.atRest);
  }

  /** Presses a key, Tab where not another one, until the reader says what is wanted, as people find a control. */
  async pressUntil(wanted: RegExp, key = "Tab", most = 30): Promise<void> {
    const visited: string[] = [];
    for (let presses = 0; presses < most; presses++) {
      const place = this.place;
      await this.#answered(["key", "--clearmodifiers", key], QUIET_MS.onTheWay);
      const said = this.since(place);
      if (said.some((text) => wanted.test(text))) return;
      visited.push(...said);
    }
    throw new Error(`${key} does not lead to ${wanted}, but to:\n${visited.join("\n")}`);
  }

  /** Gives all keys to the page, whatever has the focus there: what people do where a page has keys of its own. */
  async giveKeysToPage(): Promise<void> {
    for (const args of ["keydown Insert", "key a", "key a", "keyup Insert"]) {
      await promisify(execFile)(wholePath(PROGRAMS.xdotool), args.split(" "), { env: this.#environment });
    }
    await this.hears(/Focus mode is sticky/);
  }

  /**
   * Waits until the reader says something, later than what was waited for before; gives the utterance.
   *
   * @throws Error with all that was said meanwhile, when it is never said.
   */
  async hears(wanted: RegExp, within = LONGEST_MS): Promise<Utterance> {
    const end = Date.now() + within;
    for (;;) {
      const index = this.#speech.utterances.findIndex(({ text }, at) => at >= this.#heard && wanted.test(text));
      const found = this.#speech.utterances[index];
      if (found !== undefined) {
        this.#heard = index + 1;
        return found;
      }
      if (Date.now() > end) throw new Error(`nobody said ${wanted}, but:\n${this.since(this.#heard).join("\n")}`);
      await sleep(50);
    }
  }

  /** How much was said so far: a place to look back to. */
  get place(): number {
    return this.#speech.utterances.length;
  }

  /** What was said from a place on, in order. */
  since(place: number): readonly string[] {
    return this.#speech.utterances.slice(place).map(({ text, state }) => (state === "cut" ? `${text} (cut)` : text));
  }

  /** What is waited for next is said after now. */
  forget(): void {
    this.#heard = this.place;
  }

  /** Ends the browser. */
  async closeBrowser(): Promise<void> {
    const browser = this.#browser;
    this.#browser = null;
    if (browser === null || browser.exitCode !== null) return;
    const gone = new Promise((resolve) => browser.once("exit", resolve));
    browser.kill("SIGTERM");
    await Promise.race([gone, sleep(5_000)]);
    if (browser.exitCode === null) browser.kill("SIGKILL");
  }

  /** Ends everything that was started here. */
  async close(): Promise<void> {
    await this.closeBrowser();
    // Some of them detach from who started them. Whoever has this folder in the environment was started here.
    for (const signal of ["SIGTERM", "SIGTERM", "SIGKILL"] as const) {
      const ids = await this.#processes();
      for (const id of ids) kill(id, signal);
      for (let waited = 0; waited < 3_000 && (await this.#processes()).length > 0; waited += 100) await sleep(100);
    }
    await this.#speech.close();
  }

  async #startAll(): Promise<void> {
    const { environment } = { environment: this.#environment };
    // The system gives the first number of a screen that is free.
    const screen = spawn(
      wholePath(PROGRAMS.Xvfb),
      ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
      {
        env: environment,
        stdio: ["ignore", "ignore", "ignore", "pipe"],
      },
    );
    const number = await new Promise<string>((resolve, reject) => {
      // It ends with a reset when the screen is killed.
      screen.stdio[3]?.on("error", () => undefined);
      screen.stdio[3]?.once("data", (bytes: Buffer) => resolve(String(bytes).trim()));
      screen.once("exit", () => reject(new Error("the screen did not start")));
    });
    environment["DISPLAY"] = `:${number}`;
    const bus = join(this.#folder, "run/bus");
    this.#start(PROGRAMS.dbusDaemon, "--session", "--nofork", `--address=unix:path=${bus}`);
    this.#start(PROGRAMS.openbox);
    this.#start(
      PROGRAMS.pulseaudio,
      ...["--daemonize=no", "--exit-idle-time=-1", "-n", "-L", "module-null-sink", "-L", "module-native-protocol-unix"],
    );
    await this.#until("a bus", async () => {
      if (!existsSync(bus)) throw new Error("not yet");
    });
    const call = (...args: readonly string[]) =>
      promisify(execFile)(
        wholePath(PROGRAMS.dbusSend),
        ["--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus", ...args],
        {
          env: environment,
        },
      );
    await this.#until("accessibility", () => call("org.a11y.Bus.GetAddress"));
    // What starts later asks whether anybody reads the screen.
    for (const property of ["IsEnabled", "ScreenReaderEnabled"]) {
      await call(
        "org.freedesktop.DBus.Properties.Set",
        "string:org.a11y.Status",
        `string:${property}`,
        "variant:boolean:true",
      );
    }
    this.#start(
      PROGRAMS.orca,
      "--replace",
      ...(process.env["ORCA_LOG"] ? ["--debug-file", process.env["ORCA_LOG"]] : []),
    );
    await this.hears(/Screen reader on/);
  }

  #start(program: string, ...args: readonly string[]): ChildProcess {
    const child = spawn(wholePath(program), args, { env: this.#environment, cwd: this.#folder, stdio: "ignore" });
    child.on("error", () => undefined);
    return child;
  }

  /** Has a key or keys pressed, and waits until the reader has answered: said something, and then nothing more for a while. */
  async #answered(keys: readonly string[], quietMs: number): Promise<void> {
    let [said, since] = [this.place, Date.now()];
    let isAnswered = false;
    await promisify(execFile)(wholePath(PROGRAMS.xdotool), [...keys], { env: this.#environment });
    while (Date.now() - since < (isAnswered ? quietMs : SILENT_MS)) {
      await sleep(30);
      if (this.place === said) continue;
      [said, since, isAnswered] = [this.place, Date.now(), true];
    }
  }

  async #until(what: string, look: () => Promise<unknown>): Promise<void> {
    const end = Date.now() + LONGEST_MS;
    for (;;) {
      try {
        await look();
        return;
      } catch (cause) {
        if (Date.now() > end) throw new Error(`${what} did not come`, { cause });
        await sleep(100);
      }
    }
  }

  async #processes(): Promise<number[]> {
    const found: number[] = [];
    for (const id of (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number)) {
      const environment = id === process.pid ? "" : await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
      if (environment.includes(`XDG_RUNTIME_DIR=${this.#environment["XDG_RUNTIME_DIR"]}`)) found.push(id);
    }
    return found;
  }
}

function kill(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch {
    // It has ended by itself.
  }
}

function homeIn(folder: string): string {
  return join(folder, "home");
}
