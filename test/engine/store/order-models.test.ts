import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { wholePath } from "../../../src/engine/isolate/programs.ts";
import type { CatalogModel, Source } from "../../../src/engine/store/catalog-row.ts";
import { arrivedBytes, checkModel, orderModels, removeModel, stateInStore } from "../../../src/engine/store/install.ts";
import { readInstalled } from "../../../src/engine/store/installed.ts";
import { cutAfter, serveFile, silentAfter, startFileServer } from "../../fakes/file-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { modelOf, sha256, TAR_BZ2, tarGz, zip } from "./archives.ts";
import { orderAt, WEIGHTS } from "./order-at.ts";

const { signal } = new AbortController();

/** What is in a store, but for locks and what arrives. */
const visible = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith("."));

test("a model is there whole with what it is made of, and what came of it is kept with where it came from", async () => {
  const { server, folder, model, order, seen } = await orderAt();
  await order();
  const [installed] = await readInstalled(folder);
  expect(installed).toEqual({
    id: "tones",
    title: "Tones",
    kind: "sounds",
    form: "ced",
    files: { model: "model.onnx", tokens: "tokens.txt" },
    languages: [],
    folder: join(folder, "tones"),
  });
  expect(await readFile(join(folder, "tones", "model.onnx"))).toEqual(WEIGHTS);
  const manifest = JSON.parse(await readFile(join(folder, "tones", "installed.json"), "utf8"));
  expect(manifest.sources[0]).toEqual({ url: model.sources[0]?.url, sha256: sha256(WEIGHTS), sum_from: "pinned" });
  expect(seen.at(-1)).toBe("running 3000003/3000003");
  expect(await readdir(join(folder, ".arriving"))).toEqual([]);
  await order();
  expect(server.asked).toHaveLength(2);
});

test("a file with another SHA-256 is thrown away and told, and nothing is there that loads", async () => {
  const { server, folder, model, order } = await orderAt();
  const other = Buffer.from(WEIGHTS);
  other[1_000_000] = 0;
  server.files.set("/repository/model.onnx", other);
  const failed = order();
  await expect(failed).rejects.toMatchObject({ code: "model_wrong" });
  await expect(failed).rejects.toThrow(/What localhost:\d+ sent as model\.onnx is not the file it should be/);
  expect([await visible(folder), await readdir(join(folder, ".arriving"))]).toEqual([[], []]);
  expect(await stateInStore(folder, model)).toBe("absent");
});

test("a file of another size is refused before it is fetched", async () => {
  const { server, order, seen } = await orderAt();
  server.files.set("/repository/model.onnx", Buffer.concat([WEIGHTS, WEIGHTS]));
  await expect(order()).rejects.toThrow("has another size than it should");
  expect(seen.at(-1)).toBe("running 0/3000003");
});

test("a line that breaks is taken up again where it broke", async () => {
  const { server, folder, order, ranges } = await orderAt();
  server.answer("/repository/model.onnx", cutAfter(1_000_000));
  await order();
  const [first, second] = ranges();
  expect(first).toBeNull();
  expect(Number(/^bytes=(\d+)-$/.exec(second ?? "")?.[1])).toBeGreaterThan(0);
  expect(await readInstalled(folder)).toHaveLength(1);
});

test("what has arrived stays when a line keeps breaking, and the next order goes on with it", async () => {
  const { server, folder, model, order, ranges } = await orderAt();
  const silent = Array.from({ length: 5 }, () => (_request: unknown, reply: { destroy(): void }) => reply.destroy());
  server.answer("/repository/model.onnx", cutAfter(1_000_000), ...silent);
  const failed = order();
  await expect(failed).rejects.toMatchObject({ code: "model_unreachable" });
  await expect(failed).rejects.toThrow(/The line to localhost:\d+ keeps breaking .* it continues where it stopped/);
  const kept = await arrivedBytes(folder, model);
  expect(kept).toBeGreaterThan(0);
  expect(await stateInStore(folder, model)).toBe("partial");
  await order();
  expect(ranges().at(-1)).toBe(`bytes=${kept}-`);
  expect(await readInstalled(folder)).toHaveLength(1);
});

test("a file that changed between two halves begins again, and halves of two files are never one", async () => {
  const { server, folder, model, order } = await orderAt();
  const before = Buffer.from(WEIGHTS);
  before.fill("before", 0, 100);
  server.files.set("/repository/model.onnx", before);
  const gone = Array.from({ length: 4 }, () => (_request: unknown, reply: { destroy(): void }) => reply.destroy());
  server.answer("/repository/model.onnx", cutAfter(1_000_000), ...gone);
  await expect(order()).rejects.toMatchObject({ code: "model_unreachable" });
  expect(await stateInStore(folder, model)).toBe("partial");
  server.files.set("/repository/model.onnx", WEIGHTS);
  server.asked.length = 0;
  await order();
  // The server itself says that the rest is of another file: no half of it is fetched in vain.
  expect(server.asked.filter(({ path }) => path.endsWith(".onnx"))).toHaveLength(1);
  expect(await readFile(join(folder, "tones", "model.onnx"))).toEqual(WEIGHTS);
});

test("what was damaged on the disk meanwhile is fetched again, and accuses nobody", async () => {
  const { server, folder, order } = await orderAt();
  server.answer("/repository/tokens.txt", (_request, reply) => reply.writeHead(404).end());
  await expect(order()).rejects.toMatchObject({ code: "model_unreachable" });
  const [name = ""] = (await readdir(join(folder, ".arriving"))).filter((one) => one.endsWith("model.onnx"));
  await writeFile(join(folder, ".arriving", name), Buffer.alloc(WEIGHTS.length));
  await order();
  expect(await readFile(join(folder, "tones", "model.onnx"))).toEqual(WEIGHTS);
});

test("a server that falls silent is left, and asked again for the rest", async () => {
  const { server, folder, order, ranges } = await orderAt();
  server.answer("/repository/model.onnx", silentAfter(500_000));
  await order({ limits: { stallMs: 1000, pauseMs: 1 } });
  expect(ranges()).toHaveLength(2);
  expect(await readInstalled(folder)).toHaveLength(1);
});

test("an order on a slow line is cancelled at once, and keeps what came", async () => {
  const stop = new AbortController();
  const { server, folder, model, order } = await orderAt();
  server.answer("/repository/model.onnx", silentAfter(500_000));
  const cancelled = order({
    signal: stop.signal,
    limits: { stallMs: 60_000, pauseMs: 1 },
    onProgress: ({ completedBytes }) => completedBytes > 0 && stop.abort(new Error("cancelled by the user")),
  });
  await expect(cancelled).rejects.toThrow("cancelled by the user");
  expect(await stateInStore(folder, model)).toBe("partial");
  expect(await readInstalled(folder)).toEqual([]);
});

test("a certificate that nobody trusts ends it with what to do", async () => {
  const { server, model, order } = await orderAt();
  const [source] = model.sources;
  const elsewhere = { ...source, url: (source?.url ?? "").replace("localhost", "127.0.0.1") } as Source;
  await expect(order({}, [{ ...model, sources: [elsewhere] }])).rejects.toThrow(/is not trusted .*NODE_EXTRA_CA_CERTS/);
  expect(server.asked).toEqual([]);
});

test("a proxy of the environment stands between", async () => {
  const { server, folder, model, order } = await orderAt();
  const tunnels: string[] = [];
  const proxy = createServer().on("connect", (request, socket) => {
    tunnels.push(request.url ?? "");
    const through = connect(server.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      through.pipe(socket).pipe(through);
    });
    for (const end of [socket, through]) end.on("error", () => undefined);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void proxy.close());
  // A name that this computer cannot resolve: the proxy alone leads there.
  const sources = model.sources.map((source) => ({
    ...source,
    url: source.url.replace(/localhost:\d+/, "files.test"),
  }));
  const environment = { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  await order({ environment }, [{ ...model, sources }]);
  expect(new Set(tunnels)).toEqual(new Set(["files.test:443"]));
  expect(await readInstalled(folder)).toHaveLength(1);
});

test("a mirror has the same files by host and path, and the same sums", async () => {
  const { model, order, folder } = await orderAt();
  const mirror = await startFileServer({
    "/models/hub.example/repository/model.onnx": WEIGHTS,
    "/models/hub.example/repository/tokens.txt": "b a",
  });
  const sources = model.sources.map((source) => ({
    ...source,
    url: source.url.replace(/localhost:\d+/, "hub.example"),
  }));
  const there = [{ ...model, sources }];
  const environment = { ASIDE_MODELS_MIRROR: `${mirror.origin}/models/` };
  await expect(order({ environment }, there)).rejects.toMatchObject({ code: "model_wrong" });
  mirror.files.set("/models/hub.example/repository/tokens.txt", Buffer.from("a b"));
  await order({ environment }, there);
  expect(await readInstalled(folder)).toHaveLength(1);
  const unsafe = { ASIDE_MODELS_MIRROR: "http://mirror.example/models" };
  await removeModel(model, folder, signal);
  await expect(order({ environment: unsafe }, there)).rejects.toThrow("must be an https address");
});

test("where no sum is pinned, the release's list says it, and is kept as its source", async () => {
  const { server, folder, order } = await orderAt();
  const archive = TAR_BZ2;
  server.files.set("/release/voice.tar.bz2", archive);
  server.files.set(
    "/release/checksum.txt",
    Buffer.from(`${sha256("x")}  other.tar.bz2\n${sha256(archive)}  voice.tar.bz2\n`),
  );
  const source: Source = {
    url: `${server.origin}/release/voice.tar.bz2`,
    bytes: 500,
    sha256: null,
    checksums: `${server.origin}/release/checksum.txt`,
    into: "",
    archive: { kind: "tar.bz2", strip: 1, mostBytes: 1_000 },
  };
  const voice = modelOf([source], { model: /^[^/]+\.onnx$/, tokens: "tokens.txt", data_dir: "data" }, { id: "voice" });
  await order({}, [voice]);
  const [installed] = await readInstalled(folder);
  expect(installed?.files).toEqual({ model: "model.onnx", tokens: "tokens.txt", data_dir: "data" });
  expect(await readFile(join(folder, "voice", "data", "phontab"), "utf8")).toBe("p");
  const manifest = JSON.parse(await readFile(join(folder, "voice", "installed.json"), "utf8"));
  expect(manifest.sources).toEqual([{ url: source.url, sha256: sha256(archive), sum_from: "list" }]);
  const whole = `${sha256(archive)}  voice.tar.bz2\n`;
  await removeModel(voice, folder, signal);
  server.files.set("/release/checksum.txt", Buffer.from(whole.padEnd(4_000_001)));
  await expect(order({}, [voice])).rejects.toMatchObject({ code: "model_unreachable" });
  server.files.set("/release/checksum.txt", Buffer.from(whole.padEnd(4_000_000)));
  await order({}, [voice]);
  await removeModel(voice, folder, signal);
  server.files.set("/release/checksum.txt", Buffer.from(`${sha256("x")}  voice.tar.bz2\n`));
  await expect(order({}, [voice])).rejects.toMatchObject({ code: "model_wrong" });
  server.files.set("/release/checksum.txt", Buffer.from("nothing\n"));
  await expect(order({}, [voice])).rejects.toThrow(
    /checksum\.txt of localhost:\d+ names no SHA-256 sum of voice\.tar\.bz2/,
  );
});

test("an engine that is missing comes first, and is shared", async () => {
  const { server, folder, model, order } = await orderAt();
  const library = await tarGz({ "package/package.json": "{}", "package/index.js": "module.exports = 1;" });
  server.files.set("/library.tgz", library);
  const source: Source = {
    url: `${server.origin}/library.tgz`,
    bytes: library.length,
    sha256: sha256(library),
    into: "node_modules/library",
    archive: { kind: "tar.gz", strip: 1, mostBytes: 1_000 },
  };
  const engine = modelOf([source], { module: "node_modules/library/index.js" }, { id: "engine", kind: "engine" });
  await order({}, [engine, model]);
  expect((await readInstalled(folder)).map(({ id }) => id)).toEqual(["engine", "tones"]);
  await removeModel(model, folder, signal);
  await order({}, [engine, model]);
  expect(server.asked.filter(({ path }) => path === "/library.tgz")).toHaveLength(1);
});

test("an archive without what it should hold installs nothing", async () => {
  const { server, folder, order } = await orderAt();
  const archive = zip({ "readme.txt": "nothing" });
  server.files.set("/a.zip", archive);
  const source: Source = {
    url: `${server.origin}/a.zip`,
    bytes: archive.length,
    sha256: sha256(archive),
    into: "",
    archive: { kind: "zip", strip: 0, mostBytes: 1_000 },
  };
  await expect(order({}, [modelOf([source], { program: /server$/ })])).rejects.toThrow('does not hold its "program"');
  expect(await visible(folder)).toEqual([]);
});

test("on a computer without internet, files are taken from a folder, by name or as a mirror has them", async () => {
  const { server, model, order, folder } = await orderAt();
  const [stick, laidOut] = [await temporaryFolder(), await temporaryFolder()];
  await writeFile(join(stick, "model.onnx"), WEIGHTS);
  const missing = order({ from: stick });
  await expect(missing).rejects.toMatchObject({ code: "model_unknown" });
  await expect(missing).rejects.toThrow(`${server.origin}/repository/tokens.txt`);
  await writeFile(join(stick, "tokens.txt"), "a b");
  await order({ from: stick, environment: { ASIDE_LOCAL_ONLY: "on" } });
  expect(await readInstalled(folder)).toHaveLength(1);
  expect(await readdir(stick)).toEqual(["model.onnx", "tokens.txt"]);
  await removeModel(model, folder, signal);
  const below = join(laidOut, `localhost:${server.port}`, "repository");
  await mkdir(below, { recursive: true });
  await writeFile(join(below, "model.onnx"), WEIGHTS);
  await writeFile(join(below, "tokens.txt"), "a b");
  await writeFile(join(laidOut, "tokens.txt"), "of something else");
  await order({ from: laidOut });
  expect(await readInstalled(folder)).toHaveLength(1);
  expect(server.asked).toEqual([]);
});

test("an archive of the files serves as well, one with another content does not", async () => {
  const { order, folder } = await orderAt();
  const stick = await temporaryFolder();
  const path = join(stick, "brought.tgz");
  await writeFile(path, await tarGz({ "m/model.onnx": "of another model", "m/tokens.txt": "a b" }));
  await expect(order({ from: path })).rejects.toThrow("Your model.onnx is not the file it should be");
  expect((await readdir(folder)).filter((name) => name.startsWith(".given"))).toEqual([]);
  await writeFile(path, await tarGz({ "m/model.onnx": WEIGHTS.toString(), "m/tokens.txt": "a b" }));
  await order({ from: path });
  expect(await readInstalled(folder)).toHaveLength(1);
  expect(await visible(folder)).toEqual(["tones"]);
});

test("several files serve under the names that they were sent by, archives of others among them, wherever they lie", async () => {
  const { order, folder } = await orderAt();
  const sent = await temporaryFolder();
  const lying = async (name: string, content: string | Buffer) => {
    const path = join(sent, `object-${name.length}`);
    await writeFile(path, content);
    return { name, path };
  };
  const [model, tokens] = [
    await lying("model.onnx", WEIGHTS),
    await lying("rest.tgz", await tarGz({ "tokens.txt": "a b" })),
  ];
  const of = (...files: (typeof model)[]) => order({ from: files });
  await expect(of(model)).rejects.toThrow(/^model\.onnx does not have this file\. .*:\n {2}\S+tokens\.txt$/);
  const other = await lying("other-files.tgz", await tarGz({ "model.onnx": "not that", "read.me": "" }));
  await expect(of(model, other)).rejects.toThrow(
    /^What was brought \(model\.onnx, other-files\.tgz\) does not have this/,
  );
  // What was sent itself is meant, and not what an archive beside it has of that name.
  await of(other, tokens, model);
  expect(await readInstalled(folder)).toHaveLength(1);
  expect((await readdir(folder)).filter((name) => name.startsWith(".given"))).toEqual([]);
  expect(await readdir(sent)).toHaveLength(3);
});

test("an archive without a pinned sum needs its list beside it", async () => {
  const { order, folder } = await orderAt();
  const stick = await temporaryFolder();
  await writeFile(join(stick, "voice.tar.bz2"), TAR_BZ2);
  const source: Source = {
    url: "https://hub.example/release/voice.tar.bz2",
    bytes: 500,
    sha256: null,
    checksums: "https://hub.example/release/checksum.txt",
    into: "",
    archive: { kind: "tar.bz2", strip: 1, mostBytes: 1_000 },
  };
  const voice = modelOf([source], { model: "model.onnx" });
  await expect(order({ from: stick }, [voice])).rejects.toThrow("Bring https://hub.example/release/checksum.txt too");
  await writeFile(join(stick, "checksum.txt"), `voice.tar.bz2\t${sha256(TAR_BZ2).toUpperCase()}\n`);
  await order({ from: stick }, [voice]);
  expect(await readInstalled(folder)).toHaveLength(1);
});

test("a damaged model is found, loaded by nobody, and only what is damaged is fetched again", async () => {
  const { server, folder, model, order, options } = await orderAt();
  await order();
  expect(await checkModel(model, options)).toEqual([]);
  await writeFile(join(folder, "tones", "tokens.txt"), "a B");
  expect(await checkModel(model, options)).toEqual(["tokens.txt"]);
  expect([await readInstalled(folder), await stateInStore(folder, model)]).toEqual([[], "damaged"]);
  server.asked.length = 0;
  await order();
  expect(server.asked.map(({ path }) => path)).toEqual(["/repository/tokens.txt"]);
  expect(await stateInStore(folder, model)).toBe("installed");
  await writeFile(join(folder, "tones", "tokens.txt"), "shorter or longer");
  expect(await stateInStore(folder, model)).toBe("damaged");
  await removeModel(model, folder, signal);
  await expect(checkModel(model, options)).rejects.toMatchObject({ code: "model_unknown" });
});

test("removing gives the room of it back, with what arrived", async () => {
  const { server, folder, model, order } = await orderAt();
  await order();
  const bytes = await removeModel(model, folder, signal);
  expect(bytes).toBeGreaterThan(WEIGHTS.length);
  expect([await visible(folder), await readdir(join(folder, ".arriving"))]).toEqual([[], []]);
  server.answer("/repository/tokens.txt", (_request, reply) => reply.writeHead(404).end());
  await expect(order()).rejects.toMatchObject({ code: "model_unreachable" });
  expect(await removeModel(model, folder, signal)).toBe(WEIGHTS.length);
  expect(await stateInStore(folder, model)).toBe("absent");
});

const CHILD = fileURLToPath(new URL("order-in-child.ts", import.meta.url));

/** Orders a model in a process of its own, from a folder. */
function orderInChild(model: CatalogModel, folder: string, from: string) {
  const row = {
    ...model,
    files: Object.fromEntries(Object.entries(model.files).map(([part, path]) => [part, String(path)])),
  };
  const args = [CHILD, JSON.stringify({ model: row, folder, from })];
  const child = spawn(wholePath(process.execPath), args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let told = "";
  const says = (word: string) =>
    new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (piece: Buffer) => {
        told += piece;
        if (told.includes(word)) resolve();
      });
      child.once("close", (code) =>
        told.includes(word) ? resolve() : reject(new Error(`ended with ${code}: ${told}`)),
      );
    });
  return { child, says };
}

/** An archive that takes a while to be unpacked, in a folder. */
async function slowArchive() {
  const stick = await temporaryFolder();
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`a/${index}.txt`, `${index}`.repeat(20_000)]),
  );
  const archive = await tarGz({ ...files, "a/model.onnx": "a model" });
  await writeFile(join(stick, "slow.tgz"), archive);
  const source: Source = {
    url: "https://hub.example/slow.tgz",
    bytes: archive.length,
    sha256: sha256(archive),
    into: "",
    archive: { kind: "tar.gz", strip: 1, mostBytes: 100_000_000 },
  };
  return { stick, model: modelOf([source], { model: "model.onnx" }) };
}

thoroughTest(
  "a process that is killed while it unpacks leaves nothing that loads, and does not stand in the way of the next",
  async () => {
    const folder = await temporaryFolder();
    const { stick, model } = await slowArchive();
    const { child, says } = orderInChild(model, folder, stick);
    await says("unpacking");
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await readInstalled(folder)).toEqual([]);
    expect((await readdir(folder)).some((name) => name.endsWith(".new"))).toBe(true);
    await orderModels([model], { folder, environment: {}, signal, onProgress: () => undefined, from: stick });
    expect(await readInstalled(folder)).toHaveLength(1);
    expect((await readdir(folder)).sort()).toEqual([".arriving", "tones"]);
  },
);

thoroughTest("of two processes that order the same, one is told so, and the model is whole", async () => {
  const folder = await temporaryFolder();
  const { stick, model } = await slowArchive();
  const { child, says } = orderInChild(model, folder, stick);
  await says("unpacking");
  const options = { folder, environment: {}, signal, onProgress: () => undefined, from: stick };
  const second = await orderModels([model], options).then(
    () => "done",
    (error: unknown) => error,
  );
  expect(second).toMatchObject({ code: "model_refused", message: expect.stringContaining("Another process of Aside") });
  await Promise.all([says("done"), child.exitCode === null ? once(child, "close") : undefined]);
  expect(await readInstalled(folder)).toHaveLength(1);
  expect(await checkModel(model, options)).toEqual([]);
  expect((await stat(join(folder, "tones", "399.txt"))).size).toBe(60_000);
});

test("what is on its way out of the store is loaded by nobody, and a lock of an earlier process with this number holds nobody up", async () => {
  const { folder, order } = await orderAt();
  await writeFile(join(folder, ".tones.lock"), JSON.stringify({ process: process.pid, own: "of an earlier process" }));
  await order();
  await rename(join(folder, "tones"), join(folder, ".tones.1.old"));
  expect(await readInstalled(folder)).toEqual([]);
  await order();
  expect((await readInstalled(folder)).map((model) => model.folder)).toEqual([join(folder, "tones")]);
  expect((await readdir(folder)).sort()).toEqual([".arriving", "tones"]);
});

test("an answer of a server is a file or nothing: a page with status 200 is thrown away", async () => {
  const { server, folder, order } = await orderAt();
  server.answer("/repository/tokens.txt", (_request, reply) => reply.writeHead(200).end("<ht"), serveFile);
  await expect(order()).rejects.toMatchObject({ code: "model_wrong" });
  expect(await readInstalled(folder)).toEqual([]);
});
