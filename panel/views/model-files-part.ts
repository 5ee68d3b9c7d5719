import type { ModelHere } from "../../src/contract/models.ts";
import type { Actions } from "../controllers/actions.ts";
import { type Child, element } from "../document/element.ts";
import { fileAt, installable, type ModelFile, missingFiles, type ShownModels } from "../state/models-here.ts";
import { hostNameOf } from "../state/service-address.ts";
import { sizeText, words } from "../words/words.ts";
import { beside, button, choice, primaryButton, text } from "./controls.ts";
import { bar } from "./progress-view.ts";

/** Name of the button that asks from which files a model is to be installed. */
const OPENS = "open-files";

/** Installing a model on a computer without internet, from files that a person brings. */
export function modelFilesPart(shown: ShownModels, actions: Actions): Child {
  const { session, modelsController } = actions;
  const { sending, question } = shown;
  const [first] = installable(shown);
  if (sending !== undefined) {
    const title = shown.reply.models.find(({ id }) => id === sending.model)?.title ?? sending.model;
    return element(
      "div",
      { class: "models", key: "files", refuge: OPENS },
      text(`${title}: ${words.sendingFiles}`),
      bar(Math.round(sending.share * 100), title),
      button("stop-files", words.cancel, () => session.run(() => modelsController.pause()), {
        "aria-label": words.stopSending({ model: title }),
        takesFocus: true,
      }),
    );
  }
  if (first === undefined) return null;
  return element(
    "div",
    { class: "models", key: "files", refuge: OPENS },
    question?.about === "files"
      ? filesCard(shown, question, actions)
      : button(OPENS, words.fromFiles, () => modelsController.askForFiles(first.id), { class: "button small quiet" }),
  );
}

function filesCard(
  shown: ShownModels,
  { model: id, files }: { readonly model: string; readonly files: readonly ModelFile[] },
  actions: Actions,
): Child {
  const { session, modelsController } = actions;
  const models = installable(shown);
  const model = models.find((one) => one.id === id);
  if (model === undefined) return null;
  const missing = missingFiles(model, files);
  return element(
    "div",
    { class: "card", role: "group", "aria-label": words.fromFilesHeading },
    element("div", { class: "heading", role: "heading", "aria-level": "3" }, words.fromFilesHeading),
    beside(
      words.filesOf,
      choice(
        "files-of",
        words.filesOf,
        id,
        models.map((one) => [one.id, `${one.title} · ${sizeText(one.bytes)}`]),
        (chosen) => modelsController.askForFiles(chosen),
      ),
    ),
    text(words.bringThese, "hint"),
    fileList(model, files, missing),
    model.licence?.has_terms === true
      ? text(words.termsOf({ model: model.title, licence: model.licence.name, url: model.licence.url }))
      : null,
    element("p", { class: "hint", id: "files-left" }, leftText(files, missing)),
    element(
      "div",
      { class: "actions" },
      primaryButton("install-files", words.installFiles, () => session.run(() => modelsController.installFromFiles()), {
        disabled: missing.length > 0 || files.length === 0,
      }),
      button("add-files", words.addFiles, () => session.run(() => modelsController.pickFiles()), { takesFocus: true }),
      button("copy-addresses", words.copyAddresses, () =>
        session.run(() => actions.panelController.copy(model.addresses.join("\n"))),
      ),
      button("leave-files", words.leaveIt, () => modelsController.ask(null)),
    ),
  );
}

/** The files that a model takes, with those that are there marked, and what else was picked. */
function fileList({ addresses }: ModelHere, files: readonly ModelFile[], missing: readonly string[]): Child {
  const own = new Set(addresses.map(fileAt));
  const others = files.filter(({ name }) => !own.has(name));
  const picked = new Set(files.map(({ name }) => name));
  const line = (name: string, isHere: boolean, address?: string) =>
    element(
      "div",
      { class: isHere ? "model-file good" : "model-file", key: name, role: "listitem", title: address },
      isHere ? `✓ ${words.filePicked({ name })}` : words.fileToBring({ name, host: hostNameOf(address ?? "") }),
    );
  return element(
    "div",
    { class: "model-files", role: "list", "aria-label": words.filesToBring },
    addresses.map((address) => {
      const name = fileAt(address);
      const isHere = picked.has(name);
      // Of an archive that holds the others nobody can say more.
      return missing.length === 0 && !isHere && others.length > 0 ? null : line(name, isHere, address);
    }),
    others.map(({ name }) => line(name, true)),
  );
}

function leftText(files: readonly ModelFile[], missing: readonly string[]): string {
  if (missing.length > 0) return files.length === 0 ? "" : words.filesMissing({ count: missing.length });
  return words.filesComplete;
}
