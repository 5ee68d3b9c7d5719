import { describe, expect, test, vi } from "vitest";
import { recordsFrom, userFolder } from "../../../src/cli/service-run/service-options.ts";
import { CLI_MEANINGS, failureOf, NEXT_STEPS, reportFailure, START_MEANINGS } from "../../../src/cli/shell/failure.ts";
import { abortOnCancel, Cancelled, EXIT, UsageError } from "../../../src/cli/shell/usage-error.ts";
import { ServiceError } from "../../../src/client/errors.ts";
import { HostError } from "../../../src/host/host-error.ts";
import { ServiceStartError } from "../../../src/service/storage/database.ts";

function reported(error: unknown, isJson = false, env: NodeJS.ProcessEnv = {}) {
  const [printed, told]: [string[], string[]] = [[], []];
  const output = { print: (text: string) => void printed.push(text), tell: (text: string) => void told.push(text) };
  const code = reportFailure(error, output, isJson, env);
  return { code, printed, told };
}

describe("how a command ended badly", () => {
  const IN_USE = new HostError("folder_in_use", "another run is writing", { operation: "open", state: "nothing" });

  test.each([
    [new UsageError("say what"), EXIT.usage],
    [new Cancelled("cancelled"), EXIT.cancelled],
    [IN_USE, EXIT.failed],
    [new ServiceError("unauthorized", "no", { status: 401 }), EXIT.failed],
    [new ServiceStartError("disk_full", "The disk is full."), EXIT.failed],
    [new TypeError("a fault of ours"), EXIT.failed],
    ["thrown words", EXIT.failed],
  ])("%s ends with %i", (error, code) => {
    const { code: ended, told, printed } = reported(error);
    expect([ended, printed]).toEqual([code, []]);
    expect(told[0]).toMatch(/^aside: \S/);
  });

  test("is told with its code and what to do, and to a program as one object, beside the words", () => {
    const { told, printed } = reported(IN_USE, true);
    expect(told[0]).toMatch(/\(folder_in_use\)$/);
    expect(told[1]).toBe(NEXT_STEPS["folder_in_use"]);
    expect(printed.map((text) => JSON.parse(text))).toEqual([
      { error: { code: "folder_in_use", message: expect.any(String), next: NEXT_STEPS["folder_in_use"] } },
    ]);
    expect(reported(new UsageError("say what"), true).printed.map((text) => JSON.parse(text))).toEqual([
      { error: { code: "usage", message: "say what" } },
    ]);
  });

  test("keeps what an error of ours holds from the terminal, but for who looks for it", () => {
    const fault = new TypeError("cannot read aside_secret of undefined");
    expect(reported(fault).told.join("\n")).not.toMatch(/^\s+at /m);
    const env = { ASIDE_DEBUG: "1" };
    expect(reported(fault, false, env).told.at(-1)).toContain("TypeError");
    expect(reported(IN_USE, false, env).told.join("\n")).not.toContain(" at ");
  });

  test("holds no key, password or signature of what was asked for", () => {
    const key = `aside_${"k".repeat(43)}`;
    for (const secret of [`key ${key}`, "postgres://me:s3cret@db/x", "https://a.b/c?X-Goog-Signature=s3cret"]) {
      const { told, printed } = reported(new Error(`connect ${secret} failed`), true);
      expect([...told, ...printed].join("\n")).not.toMatch(/kkk|s3cret/);
      expect(told[0]).toContain("failed");
    }
  });

  test("by somebody's wish says that nothing is lost, and has no code", () => {
    const { told } = reported(new Cancelled());
    expect(told).toEqual(["aside: Cancelled.", "Run the same command to continue where it stopped."]);
  });

  test("has a meaning in the documents for every code of a start and of the command line", () => {
    for (const meaning of [...Object.values(START_MEANINGS), ...Object.values(CLI_MEANINGS)]) {
      expect(meaning).toMatch(/^[A-Z].*\.$/);
    }
    expect(failureOf(new UsageError("x"))).toEqual({ code: "usage", sentence: "x", next: "" });
  });
});

describe("a command that is cancelled", () => {
  /** Sends signals to a command, whose end by force is noted. */
  function cancelled() {
    const before = new Map((["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => [name, process.listeners(name)]));
    const exits: number[] = [];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
      exits.push(Number(code));
      return undefined as never;
    });
    const forced: string[] = [];
    const signal = abortOnCancel(() => forced.push("forced"));
    const send = (name: "SIGINT" | "SIGTERM" | "SIGHUP") => {
      for (const listener of process.listeners(name)) {
        if (before.get(name)?.includes(listener) !== true) (listener as () => void)();
      }
    };
    const end = () => {
      exit.mockRestore();
      vi.useRealTimers();
      for (const [name, listeners] of before) {
        for (const listener of process.listeners(name)) if (!listeners.includes(listener)) process.off(name, listener);
      }
    };
    return { signal, send, exits, forced, end };
  }

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("by %s has so long to clean up, and is ended then", (name) => {
    const { signal, send, exits, forced, end } = cancelled();
    try {
      expect(signal.aborted).toBe(false);
      send(name);
      expect([signal.aborted, signal.reason]).toEqual([true, expect.any(Cancelled)]);
      vi.advanceTimersByTime(899);
      expect([exits, forced]).toEqual([[], []]);
      vi.advanceTimersByTime(1);
      expect([exits, forced]).toEqual([[130], ["forced"]]);
    } finally {
      end();
    }
  });

  test("twice is ended at once, unless it is one key that arrived by two ways", () => {
    const { send, exits, end } = cancelled();
    try {
      send("SIGINT");
      vi.advanceTimersByTime(300);
      send("SIGTERM");
      expect(exits).toEqual([]);
      vi.advanceTimersByTime(1);
      send("SIGINT");
      expect(exits).toEqual([130]);
    } finally {
      end();
    }
  });
});

describe("where a service keeps its data", () => {
  test("is the option's folder, with settings of its own; else the user's, with the user's settings", () => {
    const env = { XDG_DATA_HOME: "/data" };
    expect(recordsFrom({ values: { data: "/own", config: "/c.json" }, positionals: [] }, env)).toEqual({
      dataFolder: "/own",
      configurationFile: "/c.json",
    });
    const mine = recordsFrom({ values: {}, positionals: [] }, env);
    expect(mine).toEqual({
      dataFolder: `${userFolder(env)}/server`,
      settingsFile: `${userFolder(env)}/settings.json`,
    });
  });

  test("is a server or a store that the environment names; an empty name is none", () => {
    const of = (env: NodeJS.ProcessEnv) => recordsFrom({ values: { data: "/own" }, positionals: [] }, env);
    expect(of({ DATABASE_URL: "postgres://a", ASIDE_STORAGE: "s3://b" })).toEqual({
      dataFolder: "/own",
      databaseUrl: "postgres://a",
      storage: "s3://b",
    });
    expect(of({ DATABASE_URL: "", ASIDE_STORAGE: "" })).toEqual({ dataFolder: "/own" });
  });

  test("is by the custom of each system", () => {
    const home = userFolder({}, "linux").replace(/\/\.local\/share\/aside$/, "");
    expect(userFolder({ XDG_DATA_HOME: "/x" }, "linux")).toBe("/x/aside");
    expect(userFolder({ XDG_DATA_HOME: "relative" }, "linux")).toBe(`${home}/.local/share/aside`);
    expect(userFolder({ XDG_DATA_HOME: "/x" }, "darwin")).toBe(`${home}/Library/Application Support/Aside`);
    expect(userFolder({ LOCALAPPDATA: "/l" }, "win32")).toBe("/l/Aside");
    expect(userFolder({}, "win32")).toBe(`${home}/AppData/Local/Aside`);
  });
});
