import { execFileSync } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { cageOf, withoutNetwork } from "../../../src/engine/isolate/cage.ts";
import { IsolateError } from "../../../src/engine/isolate/job-failure.ts";
import { runIsolated } from "../../../src/engine/tasks/run-isolated.ts";
import { RIGHTS } from "../../../src/engine/tasks/task-rights.ts";
import type { ProgrammeOrder } from "../../../src/engine/tasks/tasks.ts";
import { environmentOfVoiceProgram } from "../../../src/engine/voice/voice-program.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import type { Attempts } from "./caged-tasks.ts";

const TASKS = new URL("./caged-tasks.ts", import.meta.url).href;

/** What only the service itself, or one kind of task, may know. */
const SECRETS = {
  DATABASE_URL: "postgres://aside:secret@db/aside",
  AWS_SECRET_ACCESS_KEY: "secret",
  ASIDE_API_KEY: "secret",
  ASIDE_STORAGE: "s3://secret",
  OPENAI_API_KEY: "secret",
  ASIDE_VISION_KEY: "seeing",
  ASIDE_VOICE_KEY: "speaking",
  ASIDE_TRANSCRIPTION_KEY: "hearing",
};

let folder = "";
let server: Server;
let connections = 0;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());
beforeEach(() => {
  connections = 0;
  for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const options = () => ({ signal: new AbortController().signal, tasks: TASKS });

function portOf(listening: Server): number {
  const address = listening.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

function orders(listening = server, paths: readonly string[] = []): string {
  return JSON.stringify({
    paths,
    port: portOf(listening),
    file: join(folder, "elsewhere"),
  });
}

async function attemptsOf(run: Promise<unknown>): Promise<Attempts> {
  const error = await run.catch((reason: unknown) => reason);
  if (!(error instanceof IsolateError)) throw error;
  return JSON.parse(error.message);
}

const job = (): ProgrammeOrder => ({
  kind: "text",
  settings: DEFAULT_SETTINGS,
  track: "mixed",
  resolution: "Auto",
  mediaPath: orders(),
  workFolder: folder,
  mediaFolder: folder,
  narrationFolder: folder,
});

test("a task that opens media knows no key, starts nothing, reaches nobody and writes to its own folders alone", async () => {
  const { environment, ...ways } = await attemptsOf(runIsolated("probe", { path: orders() }, options()));
  const hasNamespace = (await withoutNetwork()).length > 0;
  expect(Object.keys(environment).filter((name) => name in SECRETS || name === "PATH" || name === "HOME")).toEqual([]);
  expect(ways).toEqual({
    connected: false,
    connectedNatively: !hasNamespace,
    startedProgram: false,
    wroteElsewhere: false,
    wroteTemporary: true,
    relayed: [],
  });
  expect(connections).toBe(hasNamespace ? 0 : 1);
});

test("a task that fits a sound reaches nobody either, by native code or ours, where Linux forbids it", async () => {
  const order = {
    ...{ from: orders(), to: join(folder, "to.wav"), gainDb: 0, truePeakDbtp: -1, bits: 24 as const, startSeconds: 0 },
    broadcast: { description: "", originator: "" },
  };
  const { environment, connected, connectedNatively } = await attemptsOf(runIsolated("fitSound", order, options()));
  expect(Object.keys(environment).filter((name) => name in SECRETS)).toEqual([]);
  const isOpen = (await withoutNetwork()).length === 0;
  expect([connected, connectedNatively]).toEqual([isOpen, isOpen]);
});

test("a job knows no key and reaches nobody, by native code or ours, whomever it is to ask", async () => {
  const origin = `http://127.0.0.1:${portOf(server)}`;
  vi.stubEnv("ASIDE_VISION_URL", `${origin}/v1`);
  vi.stubEnv("ASIDE_VISION_MODEL", "eyes");
  vi.stubEnv("ASIDE_VOICE_COMMAND", '["say"]');
  vi.stubEnv("ASIDE_VOICE_TOKEN", "of the program alone");
  const { environment, connected, connectedNatively } = await attemptsOf(runIsolated("describe", job(), options()));
  for (const secret of [...Object.values(SECRETS), "of the program alone"]) {
    expect(Object.values(environment)).not.toContain(secret);
  }
  expect(environment).toMatchObject({ ASIDE_VISION_KEY: "ASIDE_VISION_KEY", ASIDE_VISION_MODEL: "eyes" });
  expect(Object.keys(environment).filter((name) => ["PATH", "HOME", "DATABASE_URL"].includes(name))).toEqual([]);
  const isOpen = (await withoutNetwork()).length === 0;
  expect([connected, connectedNatively]).toEqual([isOpen, isOpen]);
});

test("a job asks the servers that are configured, through its parent, which has their keys", async () => {
  const keys: unknown[] = [];
  const model = createHttpServer((request, response) => {
    keys.push(request.headers.authorization);
    response.end();
  });
  await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void model.close());
  vi.stubEnv("ASIDE_VISION_URL", `http://127.0.0.1:${portOf(model)}/v1`);
  vi.stubEnv("ASIDE_VISION_MODEL", "eyes");
  const order = { ...job(), mediaPath: orders(model, ["/v1/chat/completions", "/v1/files"]) };
  const { relayed } = await attemptsOf(runIsolated("describe", order, options()));
  expect(relayed).toEqual([200, 403]);
  expect(keys).toEqual(["Bearer seeing"]);
});

test("a folder whose name leaves no room for a socket ends a job with a sentence", async () => {
  const long = join(folder, "a".repeat(100));
  await mkdir(long);
  vi.stubEnv("TMPDIR", long);
  const error = await runIsolated("describe", job(), options()).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "task_failed", message: expect.stringContaining("TMPDIR") });
  expect(await readdir(long)).toEqual([]);
});

test("a program that speaks knows what concerns the voice", () => {
  const found = environmentOfVoiceProgram({ ...SECRETS, Path: "C:\\bin", HOME: "/home/a", TMP: "/elsewhere" }, "/line");
  const folders = { TMPDIR: "/line", TEMP: "/line", TMP: "/line" };
  expect(found).toEqual({ ASIDE_VOICE_KEY: "speaking", Path: "C:\\bin", HOME: "/home/a", ...folders });
});

test("compiled code of tasks that open media stands apart from that of others", async () => {
  const environment = { NODE_COMPILE_CACHE: "/cache" };
  const opening = await cageOf(RIGHTS.probe, { path: "a.mp4" }, "/tmp/a", environment);
  expect(opening.env["NODE_COMPILE_CACHE"]).toBe(join("/cache", "caged"));
  expect(opening.execArgv).not.toContain("--allow-fs-write=/cache");
  expect((await cageOf(RIGHTS.describe, job(), "/tmp/a", environment)).env["NODE_COMPILE_CACHE"]).toBe("/cache");
});

// Root needs no user namespace; everybody else's way is tried here as somebody else.
test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "who is not root has the namespace too, where the kernel gives it",
  async () => {
    if ((await withoutNetwork()).length === 0) return;
    const options = ["--user", "--map-current-user", "--net", "--", "cat", "/proc/net/dev"];
    const seen = execFileSync("/usr/bin/unshare", options, { uid: 65_534, encoding: "utf8" });
    expect(seen.split("\n").filter((line) => /^\s*\w+:/.test(line) && !/^\s*lo:/.test(line))).toEqual([]);
  },
);
