import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type RunningService, startService } from "../../../src/service/main.ts";
import { descends, processesNow } from "../../../tools/common/measure.ts";
import { startDescribingModel } from "../../fakes/describing-model.ts";
import { makeMedia } from "../../made-media.ts";
import { uniqueClip } from "../../service/clips.ts";
import { eventually } from "../../service/eventually.ts";
import { FAKE_TASKS, openGate } from "../../service/service-fixture.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { aside, asideHere, startAside } from "../run-aside.ts";

let service: RunningService;
let dataFolder = "";
let key = "";
beforeAll(async () => {
  dataFolder = await temporaryFolder();
  service = await startService({ dataFolder, tasks: FAKE_TASKS, log: { level: "silent" } });
  ({ key } = await service.administration.createKey());
}, 60_000);
afterAll(() => service.close());

/** A film, a folder for its results, and the arguments that describe it. */
async function prepared(instructions: string, server = service.url) {
  const folder = await temporaryFolder();
  const film = join(folder, "film.mp4");
  await writeFile(film, await uniqueClip());
  const out = join(folder, "out");
  const args = ["describe", film, "--out", out, "--track", "none", "--instructions", instructions, "--server", server];
  return { args, env: { ASIDE_API_KEY: key } };
}

const newest = async () => (await service.administration.listJobs({ limit: 1 }))[0];
const isRunning = async () => {
  const job = await newest();
  return job?.status === "processing" && job.stage === "probe" ? job : undefined;
};

/** The service, behind a door that takes no word of cancelling and never answers it. */
async function behindDeafDoor(): Promise<string> {
  const door = createServer((incoming, reply) => {
    if (incoming.url?.endsWith("/cancel") === true) return;
    const { method, headers, url } = incoming;
    const onward = request(new URL(url ?? "", service.url), { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    onward.once("error", () => reply.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    door.closeAllConnections();
    door.close();
  });
  return `http://127.0.0.1:${(door.address() as AddressInfo).port}`; // listening on TCP, so an AddressInfo
}

test("Ctrl-C once cancels the job at a service of ours, says what is kept, and the same command orders again", async () => {
  const { args, env } = await prepared("gate");
  const running = startAside(args, { env });
  const job = await eventually(isRunning);
  running.process.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain("aside: Cancelled. Kept: the upload");
  expect(stderr).toContain("Run the same command to continue where it stopped.");
  expect(await service.administration.showJob(job.id)).toMatchObject({ status: "failed", error: "cancelled" });
  const again = startAside(args, { env });
  const second = await eventually(async () => {
    const found = await newest();
    return found?.id === job.id ? undefined : found;
  });
  expect(second.mediaId).toBe(job.mediaId);
  again.process.kill("SIGINT");
  await again.ended;
});

thoroughTest("Ctrl-C twice leaves at once, and says which job still runs where and how it is stopped", async () => {
  const door = await behindDeafDoor();
  const { args, env } = await prepared("hang", door);
  const running = startAside(args, { env });
  const job = await eventually(isRunning);
  running.process.kill("SIGINT");
  await sleep(600);
  const begun = performance.now();
  running.process.kill("SIGINT");
  const { code, stderr } = await running.ended;
  // By itself it gives up after seven seconds.
  expect([code, performance.now() - begun < 5_000]).toEqual([130, true]);
  const host = new URL(door).host;
  expect(stderr).toContain(
    `Job ${job.id} is still running on ${host}. To stop it: aside jobs cancel ${job.id} --server`,
  );
  expect(await service.administration.cancelJob(job.id)).toBe("cancelled");
});

thoroughTest(
  "a terminal that is closed cancels nothing: the job goes on at its service, and the same command fetches it",
  async () => {
    const { args, env } = await prepared("gate");
    const running = startAside(args, { env });
    const job = await eventually(isRunning);
    running.process.kill("SIGHUP");
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([
      130,
      expect.stringContaining(`Stopped waiting. Job ${job.id} is still running on`),
    ]);
    await openGate(dataFolder, job.id);
    const watched = await asideHere(["jobs", "watch", job.id, "--server", service.url], env);
    expect(watched.stdout).toBe(`Job ${job.id} is done.\n`);
  },
);

thoroughTest(
  "--detach orders the job and ends; it is listed, watched, and its result fetched by the same command",
  async () => {
    const { args, env } = await prepared("gate");
    const ordered = await aside([...args, "--detach"], { env });
    const job = await newest();
    expect([ordered.code, ordered.stdout]).toEqual([0, expect.stringContaining(`Job ${job?.id} is ordered`)]);
    expect(ordered.stdout).toContain(`aside jobs watch ${job?.id} --server ${service.url}`);
    expect((await asideHere(["jobs", "--data", dataFolder])).stdout).toContain(job?.id);
    const watching = startAside(["jobs", "watch", job?.id ?? "", "--server", service.url], { env });
    await watching.shows(/Describe \.\.\./);
    await openGate(dataFolder, job?.id ?? "");
    expect(await watching.ended).toMatchObject({ code: 0, stdout: `Job ${job?.id} is done.\n` });
    const own = await asideHere(["jobs", "watch", job?.id ?? "", "--data", dataFolder]);
    expect([own.code, own.stdout]).toEqual([0, `Job ${job?.id} is done.\n`]);
  },
);

thoroughTest("a watch that is cancelled leaves the job alone, and says so", async () => {
  const { args, env } = await prepared("hang");
  await aside([...args, "--detach"], { env });
  const id = (await newest())?.id ?? "";
  const watching = startAside(["jobs", "watch", id, "--server", service.url], { env });
  await watching.shows(/Describe \.\.\./);
  watching.process.kill("SIGINT");
  const { code, stderr } = await watching.ended;
  expect([code, stderr]).toEqual([130, expect.stringContaining(`Job ${id} is still running on`)]);
  expect((await service.administration.showJob(id))?.error).toBeNull();
  expect(await service.administration.cancelJob(id)).toBe("cancelled");
});

thoroughTest(
  "aside jobs cancel stops any team's job on one's own service, and one's own team's at a service elsewhere",
  async () => {
    const { args, env } = await prepared("hang");
    const { key: stranger } = await service.administration.createKey({ team: "east" });
    await aside([...args, "--detach"], { env: { ASIDE_API_KEY: stranger } });
    const id = (await newest())?.id ?? "";
    const elsewhere = ["jobs", "cancel", id, "--server", service.url];
    expect((await asideHere(elsewhere, env)).stderr).toContain("(not_found)");
    const own = await asideHere(["jobs", "cancel", id, "--data", dataFolder]);
    expect([own.code, own.stdout]).toEqual([0, expect.stringContaining(`Job ${id} is cancelled`)]);
    expect(await asideHere(elsewhere, { ASIDE_API_KEY: stranger })).toMatchObject({ code: 0 });
    const watched = await asideHere(["jobs", "watch", id, "--data", dataFolder]);
    expect([watched.code, watched.stdout]).toEqual([1, `Job ${id} was cancelled.\n`]);
    const unknown = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";
    expect((await asideHere(["jobs", "cancel", unknown, "--data", dataFolder])).stderr).toContain("(not_found)");
    expect((await asideHere(["jobs", "list", "--server", service.url], env)).code).toBe(2);
  },
);

thoroughTest(
  "Ctrl-C stops a job inside the command: its model is asked nothing more, by the next command neither",
  async () => {
    const vision = await startDescribingModel([], { log: () => ({ reply: { delayMs: 3_000 } }) });
    const home = await temporaryFolder();
    const env = { HOME: home, XDG_DATA_HOME: home, ASIDE_VISION_URL: vision.url, ASIDE_VISION_MODEL: "eyes-7b" };
    const film = join(home, "film.mp4");
    drawnFilm(film, "testsrc2");
    const running = startAside(["describe", film, "--out", join(home, "out"), "--track", "none"], { env });
    await eventually(async () => vision.asked.length > 0 || undefined, 60);
    running.process.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining("Cancelled. Kept: the upload, dialogue and shots")]);
    const asked = vision.asked.length;
    const jobs = await aside(["jobs", "--data", join(home, "aside", "embedded"), "--json"], { env });
    expect(JSON.parse(jobs.stdout)).toMatchObject([{ status: "failed", error: "cancelled" }]);
    await sleep(500);
    expect(vision.asked.length).toBe(asked);
  },
  120_000,
);

/** A film of six seconds, by what is drawn on it. */
function drawnFilm(path: string, drawing: string): void {
  makeMedia(path, [
    { graph: `${drawing}=size=160x90:rate=25:duration=6`, codec: "libx264" },
    { graph: "anullsrc=r=48000:cl=stereo,atrim=duration=6", codec: "aac" },
  ]);
}

/** Cancels a command, and says what is left of it and its servers a while later. */
async function cancelledAndWatched({ process: child, ended }: ReturnType<typeof startAside>, count: () => number) {
  const started = [...processesNow().keys()].filter((id) => descends(id, child.pid ?? 0, processesNow()));
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  const asked = count();
  await sleep(700);
  const left = started.filter((id) => processesNow().has(id));
  return { code, stderr, askedAfter: count() - asked, left };
}

test.runIf(IS_THOROUGH && process.platform === "linux")(
  "Ctrl-C on a batch stops every job of it: nobody is asked any more, no process is left",
  async () => {
    const vision = await startDescribingModel([], { log: () => ({ reply: { delayMs: 3_000 } }) });
    const home = await temporaryFolder();
    const env = { HOME: home, XDG_DATA_HOME: home, ASIDE_VISION_URL: vision.url, ASIDE_VISION_MODEL: "eyes-7b" };
    for (const drawing of ["testsrc", "testsrc2"]) drawnFilm(join(home, `${drawing}.mp4`), drawing);
    const films = ["testsrc.mp4", "testsrc2.mp4"].map((name) => join(home, name));
    const running = startAside(["batch", ...films, "--out", join(home, "out"), "--track", "none"], { env });
    await eventually(async () => vision.asked.length > 0 || undefined, 60);
    const outcome = await cancelledAndWatched(running, () => vision.asked.length);
    expect(outcome).toMatchObject({ code: 130, askedAfter: 0, left: [] });
    expect(outcome.stderr).toContain("Cancelled. Kept: the upload");
    const jobs = await aside(["jobs", "--data", join(home, "aside", "embedded"), "--json"], { env });
    const states = (JSON.parse(jobs.stdout) as { status: string; error: string }[]).map(({ error }) => error);
    expect([states.length > 0, new Set(states)]).toEqual([true, new Set(["cancelled"])]);
  },
  120_000,
);

thoroughTest(
  "Ctrl-C on a revoice stops the line that is voiced: nobody is asked any more, no process is left",
  async () => {
    const home = await temporaryFolder();
    const [film, out, script] = [join(home, "film.mp4"), join(home, "out"), join(home, "script.vtt")];
    drawnFilm(film, "testsrc");
    await writeFile(script, "WEBVTT\n\n00:01.000 --> 00:05.000\nA green field.\n");
    const env = { HOME: home, XDG_DATA_HOME: home, ASIDE_VISION_URL: "off" };
    expect(await aside(["describe", film, "--script", script, "--out", out], { env })).toMatchObject({ code: 0 });
    const text = join(out, "cues.vtt");
    await writeFile(text, (await readFile(text, "utf8")).replace("green field", "wide green field"));
    let asked = 0;
    const server = createServer(() => asked++);
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // a server on TCP has a port
    const voice = { ASIDE_VOICE_URL: url, ASIDE_VOICE_MODEL: "kokoro", ASIDE_VOICE_KEY: "speaking" };
    const running = startAside(["revoice", out], { env: { ...env, ...voice } });
    await eventually(async () => asked > 0 || undefined, 60);
    expect(await cancelledAndWatched(running, () => asked)).toMatchObject({ code: 130, askedAfter: 0, left: [] });
    expect(await readFile(text, "utf8")).toContain("wide green field");
  },
  120_000,
);

test("what a watched job has used is said with its end, and nothing where the service does not say", async () => {
  let cost: object | undefined = { requests: 9, useless: 0, unpriced: 0, spent: 0.12, reserved: 0, ceiling: null };
  const server = createServer((_, reply) => reply.end(JSON.stringify({ job_id: "j", status: "done", cost })));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on TCP has a port
  const watched = () => asideHere(["jobs", "watch", "j", "--server", url], { ASIDE_API_KEY: key });
  expect((await watched()).stdout).toBe("Job j is done. Used: 0.12 for 9 requests.\n");
  cost = undefined;
  expect((await watched()).stdout).toBe("Job j is done.\n");
});
