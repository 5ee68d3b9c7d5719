import { expect, test } from "vitest";
import { formatPairing, pairingPath, readPairing } from "../../src/contract/pairing.ts";
import { type PanelOnDoubles, panelOnDoubles } from "./open-panel.ts";

const PATH = pairingPath("/home/editor", "linux");

/** A companion that runs, or runs no longer. */
function leave(panel: PanelOnDoubles, address: string | null, version = "0.1.0"): void {
  if (address === null) panel.disk.files.delete(PATH);
  else {
    const pairing = { address, key: panel.server.key, version, pid: 4711 };
    panel.disk.folders.add("/home/editor/.local/share/aside");
    panel.disk.files.set(PATH, new Uint8Array(Buffer.from(formatPairing(pairing))));
  }
}

test("a panel finds the service of its user by itself, and describes with neither address nor key", async () => {
  const panel = await panelOnDoubles();
  leave(panel, panel.address);
  panel.open();
  await panel.sees("Describe sequence");
  await panel.order();
  await panel.sees("2 descriptions");
  panel.page().click("badge");
  await panel.sees("Aside 0.1.0 runs on this computer.");
  expect(panel.page().find("service-address")).toBeNull();
});

test("where none runs, it is started from the panel, which goes on by itself", async () => {
  const panel = await panelOnDoubles();
  panel.open();
  await panel.sees("Aside is not running on this computer.");
  expect(panel.page().find("service-address")).toBeNull();
  panel.picks.start = () => {
    leave(panel, panel.address);
    return true;
  };
  panel.page().click("start-companion");
  // What comes then is describing; the settings say what runs.
  await expect.poll(() => panel.page().view).toBe("describe");
  panel.page().click("badge");
  await panel.sees("runs on this computer");
  panel.page().click("test-connection");
  await panel.sees("The service accepts this key");
});

test("where the editor does not let it start, a sentence says what to do", async () => {
  const panel = await panelOnDoubles();
  panel.open();
  await panel.sees("Aside is not running on this computer.");
  panel.page().click("start-companion");
  await panel.sees("Aside did not start.");
});

test("one that was started again at another port and with another key is found again; a job that waits goes on", async () => {
  const panel = await panelOnDoubles();
  leave(panel, "http://127.0.0.1:9");
  panel.open();
  await panel.sees("Describe sequence");
  leave(panel, panel.address);
  panel.page().click("badge");
  await panel.sees("Aside 0.1.0 runs on this computer.");
  panel.page().click("test-connection");
  await panel.sees("The service accepts this key");
});

test("a service that somebody chose stays in use while a companion runs", async () => {
  const panel = await panelOnDoubles();
  await panel.connect();
  leave(panel, "http://127.0.0.1:9");
  panel.open();
  await panel.sees("Describe sequence");
  await panel.order();
  await panel.sees("2 descriptions");
});

test.each([
  ["0.2.0", "Aside on this computer is newer than this panel"],
  ["0.0.9", "Update Aside"],
])("versions that do not fit say which side to update: %s", async (version, sentence) => {
  const panel = await panelOnDoubles();
  leave(panel, panel.address, version);
  panel.open();
  await panel.sees("Describe sequence");
  panel.page().click("badge");
  await panel.sees(sentence);
});

test("a key goes to no other computer, whatever the file says, and a torn file is none", () => {
  const pairing = { address: "http://127.0.0.1:8420", key: "k", version: "0.1.0", pid: 1 };
  expect(readPairing(formatPairing(pairing))).toEqual(pairing);
  for (const address of ["http://192.168.1.7:8420", "https://example.com", "http://127.0.0.1.example.com"]) {
    expect(readPairing(formatPairing({ ...pairing, address }))).toBeNull();
  }
  const text = formatPairing(pairing);
  for (let length = 0; length < text.trimEnd().length; length++) expect(readPairing(text.slice(0, length))).toBeNull();
});
