import type { Finding } from "../../src/core/finding.ts";
import { soundingCues } from "../../src/result/result.ts";
import { signOffState } from "../../src/result/sign-off.ts";
import { staleIn } from "../../src/result/stale.ts";
import { DELIVERY_PRESETS, DELIVERY_TEXTS } from "../../src/workflow/deliver/delivery-preset.ts";
import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
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
import { button, checkBox, choice, labelled, primaryButton, signOf, text, textField, typedText } from "./controls.ts";
import { bar } from "./progress-view.ts";

/** Most findings that are listed; the rest is counted. */
const MOST_FINDINGS = 6;

/** Words of the fields that are typed. */
const FIELD_WORDS = {
  title: words.deliveryTitle,
  reference: words.deliveryReference,
  fileName: words.deliveryFileName,
} as const;

/** What a recipient gets of the result under review, what stands in the way, and the one button that writes it. */
export function deliverView({ review, delivery, sequence }: PanelState, actions: Actions): ElementNode[] {
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
    ...(["title", "reference", "fileName"] as const).map((field) =>
      labelled(
        FIELD_WORDS[field],
        textField(`delivery-${field}`, FIELD_WORDS[field], delivery[field], {
          onchange: (event: PanelEvent) =>
            actions.session.run(() => deliverController.change({ [field]: typedText(event) })),
        }),
      ),
    ),
    element("div", { class: "group", role: "group", "aria-label": words.deliveryTexts }, textBoxes(delivery, actions)),
    element("div", { class: "group", role: "group", "aria-label": words.deliverySounds }, [
      ...SOUND_KINDS.map((kind) => soundLine(kind, delivery, actions)),
      checkBox("human-voice", words.humanVoice, delivery.isHuman, (isHuman) =>
        actions.session.run(() => deliverController.change({ isHuman })),
      ),
      checkBox("delivery-leader", words.leader, delivery.hasLeader, (hasLeader) =>
        actions.session.run(() => deliverController.change({ hasLeader })),
      ),
      ...(delivery.hasLeader && leaderOf(review, delivery) === undefined ? [text(words.leaderUnfit, "warning")] : []),
    ]),
    ...videoPart(delivery, actions),
    ...handOffPart(sequence, delivery, actions),
    ...inTheWay(review, delivery, actions),
    text(signedWords(review), "hint"),
    element(
      "div",
      { class: "actions" },
      primaryButton("deliver", words.deliver, () => actions.session.run(() => deliverController.deliver()), {
        disabled: !mayDeliver(delivery),
      }),
      button("delivery-back", words.backToReview, () => actions.panelController.go("review")),
    ),
    ...writtenPart(delivery, actions),
    text(words.deliveryHint, "hint"),
  ];
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
  if (source === undefined) return element("div", { key: kind }, text(words.noSound[kind], "hint"), pick);
  const toggle = (isWanted: boolean) => actions.session.run(() => deliverController.wantSound(kind, isWanted));
  const { bits, sampleRate } = source.format;
  const facts = words.soundFacts({ file: source.name, bits, rate: sampleRate / 1000 });
  return element(
    "div",
    { key: kind },
    checkBox(`delivery-${kind}`, name, soundKinds.includes(kind), toggle, facts),
    pick,
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

/** What is missing, what breaks a limit, what is out of date. */
function inTheWay({ result }: ReviewState, delivery: DeliverState, actions: Actions): ElementNode[] {
  const findings = [...(delivery.findings ?? [])].sort((a, b) => rank(a) - rank(b));
  const fails = findings.filter(({ severity }) => severity === "fail").length;
  // A line that was voiced by itself is not in the file that is delivered.
  const apart = result.audio === undefined ? [] : Object.keys(result.pieces ?? {});
  const stale = new Set([...staleIn(result).keys(), ...apart]).size;
  const misnamed = namingFault(delivery);
  return [
    ...(misnamed === null ? [] : [text(words.deliveryMisnamed({ why: misnamed }), "warning")]),
    ...missingSounds(delivery).map((kind) =>
      text(
        words.soundMissing({ name: words.soundNames[kind], preset: presetOf(delivery.presetName).title }),
        "warning",
      ),
    ),
    ...(stale === 0 ? [] : [text(words.deliveryStale({ cues: stale }), "warning")]),
    ...(findings.length === 0
      ? []
      : [
          text(
            fails > 0 ? words.deliveryBroken({ count: fails }) : words.deliveryNoted({ count: findings.length }),
            fails > 0 ? "warning" : "line",
          ),
          ...findings.slice(0, MOST_FINDINGS).map((finding) => text(findingWords(finding), "hint")),
          ...(findings.length > MOST_FINDINGS
            ? [text(words.andMore({ count: findings.length - MOST_FINDINGS }), "hint")]
            : []),
        ]),
    ...(!isLimitBroken(delivery)
      ? []
      : [
          checkBox("deliver-despite", words.deliverDespite, delivery.goesDespite, (goesDespite) =>
            actions.session.run(() => actions.deliverController.change({ goesDespite })),
          ),
        ]),
  ];
}

function rank({ severity }: Finding): number {
  return ["fail", "warn"].indexOf(severity) >>> 0;
}

function findingWords(finding: Finding): string {
  const { cueIds, message, source } = finding;
  const where = cueIds.length === 0 ? "" : `${cueIds.join(", ")}: `;
  return `${signOf(finding)} ${where}${message}${source === undefined ? "" : ` (${source})`}`;
}

function signedWords({ result }: ReviewState): string {
  const { signOff } = result;
  if (signOff === undefined) return words.deliveryUnsigned;
  const date = signOff.signedAt.slice(0, 16).replace("T", " ");
  const isVoid = signOffState(signOff, soundingCues(result)) === "void";
  return (isVoid ? words.signedVoid : words.signed)({ name: signOff.name, date });
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
