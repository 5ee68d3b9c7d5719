import type { Finding } from "../../src/core/finding.ts";
import { extendedCues, soundingCues } from "../../src/result/result.ts";
import { signOffState } from "../../src/result/sign-off.ts";
import { staleIn } from "../../src/result/stale.ts";
import { DELIVERY_PRESETS, DELIVERY_TEXTS } from "../../src/workflow/deliver/delivery-preset.ts";
import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import {
  type DeliverState,
  HAND_OFFS,
  isLimitBroken,
  leaderOf,
  mayDeliver,
  missingSounds,
  namingFault,
  presetOf,
  SOUND_KINDS,
  type SoundKind,
} from "../state/delivery-state.ts";
import type { PanelState } from "../state/panel-state.ts";
import type { ReviewState } from "../state/review-state.ts";
import { tenths, words } from "../words/words.ts";
import {
  button,
  checkBox,
  choice,
  labelled,
  primaryButton,
  section,
  signOf,
  text,
  textField,
  typedText,
} from "./controls.ts";
import { bar } from "./progress-view.ts";

/** Name of the section with what is rarely changed. */
const MORE = "delivery-more";

/** Most findings that are listed; the rest is counted. */
const MOST_FINDINGS = 6;

/** Words of the fields that are typed. */
const FIELD_WORDS = {
  title: words.deliveryTitle,
  reference: words.deliveryReference,
  fileName: words.deliveryFileName,
} as const;

/** What a recipient gets of the result under review, what stands in the way, and the one button that writes it. */
export function deliverView({ review, delivery, sequence, openSections }: PanelState, actions: Actions): ElementNode[] {
  if (review === null || delivery?.runId !== review.result.runId) return [text(words.noReview, "empty")];
  const { running } = delivery;
  if (running !== null) {
    return [
      text(`${running.what}…`),
      bar(Math.round(running.fraction * 100), running.what),
      button("cancel-delivery", words.cancel, () => actions.deliverController.cancel()),
    ];
  }
  const { deliverController } = actions;
  return [
    element("div", { class: "view-part", key: "delivery" }, [
      staleNote(review, actions),
      labelled(
        words.deliveryPreset,
        choice(
          "delivery-preset",
          words.deliveryPreset,
          delivery.presetName,
          DELIVERY_PRESETS.map(({ name, title }) => [name, title] as const),
          (name) => actions.session.run(() => deliverController.choosePreset(name)),
        ),
        presetOf(delivery.presetName).source,
      ),
      text(words.deliveryFiles, "field-name"),
      element(
        "div",
        { class: "group", role: "group", "aria-label": words.deliveryTexts },
        textBoxes(delivery, actions),
      ),
      element("div", { class: "group", role: "group", "aria-label": words.deliverySounds }, [
        SOUND_KINDS.map((kind) => soundLine(kind, delivery, actions)),
        videoPart(delivery, actions),
      ]),
      text(words.deliveryChecks, "field-name"),
      element("div", { class: "group", key: "checks" }, checks(review, delivery, actions)),
      moreOptions(review, delivery, sequence, openSections, actions),
      writtenPart(delivery, actions),
    ]),
    element(
      "div",
      { class: "footer", key: "footer" },
      element(
        "div",
        { class: "foot" },
        primaryButton("deliver", words.deliver, () => actions.session.run(() => deliverController.deliver()), {
          disabled: !mayDeliver(delivery),
        }),
      ),
    ),
  ];
}

/** Lines whose recording does not say their words, and the way to record them: what is delivered is to be true. */
function staleNote({ result }: ReviewState, { session, jobQueue }: Actions): ElementNode | null {
  const { size } = staleIn(result);
  if (size === 0 || result.track === "none") return null;
  return element(
    "div",
    { class: "note", key: "stale" },
    element("span", { class: "grow" }, `⚠ ${words.changedLines({ count: size })}`),
    button("voice-changed", words.recordThem, () => session.run(() => jobQueue.voice()), { class: "button small" }),
  );
}

/** What is rarely changed: titles, names of files, the leader, what Premiere hands on. */
function moreOptions(
  review: ReviewState,
  delivery: DeliverState,
  sequence: PanelState["sequence"],
  openSections: readonly string[],
  actions: Actions,
): ElementNode {
  const { deliverController, formController } = actions;
  return section(
    MORE,
    words.moreOptions,
    [delivery.title, delivery.fileName].join(" · "),
    openSections.includes(MORE),
    (id) => formController.toggleSection(id),
    (["title", "reference", "fileName"] as const).map((field) =>
      labelled(
        FIELD_WORDS[field],
        textField(`delivery-${field}`, FIELD_WORDS[field], delivery[field], {
          onchange: (event: PanelEvent) =>
            actions.session.run(() => deliverController.change({ [field]: typedText(event) })),
        }),
      ),
    ),
    checkBox("human-voice", words.humanVoice, delivery.isHuman, (isHuman) =>
      actions.session.run(() => deliverController.change({ isHuman })),
    ),
    checkBox("delivery-leader", words.leader, delivery.hasLeader, (hasLeader) =>
      actions.session.run(() => deliverController.change({ hasLeader })),
    ),
    delivery.hasLeader && leaderOf(review, delivery) === undefined ? text(words.leaderUnfit, "warning") : null,
    handOffPart(sequence, delivery, actions),
    text(words.deliveryHint, "hint"),
  );
}

function textBoxes({ texts }: DeliverState, actions: Actions): ElementNode[] {
  return DELIVERY_TEXTS.map((kind) =>
    checkBox(`delivery-${kind}`, words.deliveryTextNames[kind], texts.includes(kind), (isWanted) =>
      actions.session.run(() => actions.deliverController.wantText(kind, isWanted)),
    ),
  );
}

/** A sound that is there can be left out; one that is not says where it would come from. */
function soundLine(kind: SoundKind, { sounds, soundKinds }: DeliverState, actions: Actions): ElementNode {
  const { deliverController } = actions;
  const source = sounds.find((one) => one.kind === kind);
  const name = words.soundNames[kind];
  const pick = button(
    `pick-${kind}`,
    words.pickWav,
    () => actions.session.run(() => deliverController.pickSound(kind)),
    {
      class: "button small",
      "aria-label": words.pickWavFor({ name }),
    },
  );
  const picking = element("div", { class: "actions" }, pick);
  if (source === undefined) return element("div", { key: kind }, text(words.noSound[kind], "hint"), picking);
  const toggle = (isWanted: boolean) => actions.session.run(() => deliverController.wantSound(kind, isWanted));
  const { bits, sampleRate } = source.format;
  const facts = words.soundFacts({ file: source.name, bits, rate: sampleRate / 1000 });
  return element(
    "div",
    { key: kind },
    checkBox(`delivery-${kind}`, name, soundKinds.includes(kind), toggle, facts),
    picking,
  );
}

/** The video that the service makes: its price is said before, and whether it was ordered before. */
function videoPart({ video, wantsVideo, ordersVideoAgain }: DeliverState, actions: Actions): ElementNode[] {
  if (video === null) return [];
  const { hindrance, standing, credits } = video;
  if (hindrance !== null) return [text(words.videoHindrances[hindrance], "hint")];
  const { deliverController } = actions;
  const price = credits === 0 ? words.noCharge : words.creditsAbout({ count: tenths(Math.max(0.1, credits)) });
  const hint = standing === "ordered" ? words.videoOrdered : words.videoHint({ price });
  const isDoubtful = wantsVideo && (standing === "unknown" || standing === "gone");
  return [
    checkBox(
      "delivery-video",
      words.deliveryVideo,
      wantsVideo,
      (isWanted) => actions.session.run(() => deliverController.change({ wantsVideo: isWanted })),
      hint,
    ),
    ...(isDoubtful
      ? [
          text(standing === "gone" ? words.videoGone : words.videoUnknown, "warning"),
          checkBox("video-again", words.videoAgain({ price }), ordersVideoAgain, (isAgain) =>
            actions.deliverController.orderAgain(isAgain),
          ),
        ]
      : []),
  ];
}

/** What Premiere itself does of the sequence that is open. */
function handOffPart(sequence: PanelState["sequence"], { handOffs }: DeliverState, actions: Actions): ElementNode[] {
  if (sequence === null) return [];
  return [
    element(
      "div",
      { class: "group", role: "group", "aria-label": words.handOff },
      HAND_OFFS.map((kind) =>
        checkBox(`hand-off-${kind}`, words.handOffNames[kind], handOffs.includes(kind), (isWanted) =>
          actions.session.run(() => actions.deliverController.wantHandOff(kind, isWanted)),
        ),
      ),
      text(words.handOffHint({ name: sequence.name }), "hint"),
    ),
  ];
}

/** What is missing, what breaks a limit, what is out of date, and what is well. */
function checks({ result }: ReviewState, delivery: DeliverState, actions: Actions): Child[] {
  const findings = [...(delivery.findings ?? [])].sort((a, b) => rank(a) - rank(b));
  const fails = findings.filter(({ severity }) => severity === "fail").length;
  // A line that was voiced by itself is not in the file that is delivered.
  const apart = result.audio === undefined ? [] : Object.keys(result.pieces ?? {});
  const stale = new Set([...staleIn(result).keys(), ...apart]).size;
  const misnamed = namingFault(delivery);
  const elsewhere = extendedCues(result).length;
  return [
    misnamed === null ? null : check(false, words.deliveryMisnamed({ why: misnamed })),
    missingSounds(delivery).map((kind) =>
      check(false, words.soundMissing({ name: words.soundNames[kind], preset: presetOf(delivery.presetName).title })),
    ),
    stale === 0 ? null : check(false, words.deliveryStale({ cues: stale })),
    elsewhere === 0 ? null : check(false, words.deliveryWithoutHeld({ count: elsewhere })),
    delivery.findings === null
      ? null
      : findings.length === 0
        ? check(true, words.deliveryWithinLimits)
        : [
            check(
              fails === 0,
              fails > 0 ? words.deliveryBroken({ count: fails }) : words.deliveryNoted({ count: findings.length }),
            ),
            findings.slice(0, MOST_FINDINGS).map((finding) => text(findingWords(finding), "hint indented")),
            findings.length > MOST_FINDINGS
              ? text(words.andMore({ count: findings.length - MOST_FINDINGS }), "hint indented")
              : null,
          ],
    isLimitBroken(delivery)
      ? checkBox("deliver-despite", words.deliverDespite, delivery.goesDespite, (goesDespite) =>
          actions.session.run(() => actions.deliverController.change({ goesDespite })),
        )
      : null,
    signedCheck(result),
  ];
}

/** A line of what was checked. */
function check(isWell: boolean, said: string): ElementNode {
  return element(
    "div",
    { class: isWell ? "step done" : "step", key: said },
    element("span", { class: isWell ? "sign" : "sign warning" }, isWell ? "✓" : "⚠"),
    element("span", { class: isWell ? "grow" : "grow warning" }, said),
  );
}

function rank({ severity }: Finding): number {
  return ["fail", "warn"].indexOf(severity) >>> 0;
}

function findingWords(finding: Finding): string {
  const { cueIds, message, source } = finding;
  const where = cueIds.length === 0 ? "" : `${cueIds.join(", ")}: `;
  return `${signOf(finding)} ${where}${message}${source === undefined ? "" : ` (${source})`}`;
}

function signedCheck({ signOff, ...result }: ReviewState["result"]): ElementNode {
  if (signOff === undefined) return check(false, words.deliveryUnsigned);
  const date = signOff.signedAt.slice(0, 16).replace("T", " ");
  const by = { name: signOff.name, date };
  const isVoid = signOffState(signOff, soundingCues(result)) === "void";
  return isVoid ? check(false, words.signedVoid(by)) : text(words.signed(by), "step done");
}

function writtenPart({ written }: DeliverState, actions: Actions): ElementNode[] {
  if (written === null) return [];
  const { folder, names, findings } = written;
  return [
    element(
      "div",
      { class: "group", id: "delivered" },
      text(words.delivered({ files: names.length, folder }), "strong"),
      names.map((name) => text(name, "hint")),
      findings.map((finding) => text(findingWords(finding), "warning")),
      actions.session.environment.showFolder === null
        ? null
        : button("show-delivery", words.showFolder, () => actions.session.run(() => actions.deliverController.show())),
    ),
  ];
}
