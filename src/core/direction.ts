import { foldedWords } from "./text.ts";

/** What scripts say to the voice, by language: how fast, how loud, where to wait, who speaks. Entries are parted by commas. */
const DIRECTIONS = {
  en:
    "slow,slowly,slower,fast,faster,quick,quickly,quicker,brisk,briskly,rapid,rapidly,pace,pacy,at pace,pause,short pause,long pause,beat,wait," +
    "breath,breathe,whisper,whispered,whispering,soft,softly,quiet,quietly,gentle,gently,hushed,urgent,urgently,calm,calmly,neutral,neutrally," +
    "warm,warmly,pick up,pick up pace,speed up,slow down,continuous,cont,cont'd,contd,continued,vo,voice over,voiceover,os,off screen,oov," +
    "over music,under music,over dialogue,under dialogue,over applause,over titles,over credits,music only,no ad,no description",
  de:
    "langsam,langsamer,zügig,zügiger,schnell,schneller,rasch,flott,tempo,pause,kurze pause,lange pause,atmen,geflüstert,flüsternd,flüstern," +
    "leise,leiser,sanft,ruhig,dringlich,eindringlich,sachlich,off,aus dem off,über musik,unter musik,über dialog,unter dialog,nur musik",
  fr:
    "lent,lente,lentement,plus lent,plus lentement,vite,plus vite,rapide,rapidement,temps,un temps,pause,courte pause,longue pause," +
    "chuchoté,chuchotant,chuchoter,doux,doucement,calme,calmement,posé,urgent,voix off,sur musique,sur la musique,sous le dialogue,musique seule",
  es:
    "lento,lenta,lentamente,despacio,más lento,más despacio,rápido,rápida,rápidamente,más rápido,pausa,pausa corta,pausa larga,susurrado," +
    "susurrando,susurro,suave,suavemente,tranquilo,urgente,voz en off,sobre música,sobre la música,bajo diálogo,sólo música,solo música",
  it:
    "lento,lenta,lentamente,più lento,veloce,velocemente,più veloce,rapido,rapidamente,pausa,pausa breve,pausa lunga,sussurrato," +
    "sussurrando,sottovoce,dolce,dolcemente,calmo,urgente,fuori campo,voce fuori campo,fc,su musica,sulla musica,sotto dialogo,solo musica",
  nl:
    "langzaam,langzamer,rustig,snel,sneller,vlot,vlotter,tempo,pauze,korte pauze,lange pauze,gefluisterd,fluisterend,fluisteren,zacht,zachtjes," +
    "dringend,buiten beeld,over muziek,onder dialoog,alleen muziek",
  pt:
    "lento,lenta,lentamente,devagar,mais lento,mais devagar,rápido,rápida,rapidamente,depressa,mais rápido,pausa,pausa curta,pausa longa," +
    "sussurrado,sussurrando,sussurro,suave,suavemente,calmo,urgente,voz off,sobre música,sobre a música,só música",
  pl:
    "wolno,powoli,wolniej,szybko,szybciej,pauza,krótka pauza,długa pauza,szeptem,szept,cicho,ciszej,spokojnie,pilnie,z offu,spoza kadru," +
    "na tle muzyki,tylko muzyka",
  ja: "ゆっくり,ゆっくりと,早口で,早口,速く,速めに,間,ポーズ,ささやき,ささやき声で,小声で,静かに,オフ,音楽のみ,音楽にかぶせて",
} as const;

const KNOWN: ReadonlySet<string> = new Set(Object.values(DIRECTIONS).flatMap((words) => words.split(",")));

/** Words that say how much of it, and mean nothing alone. */
const AROUND: ReadonlySet<string> = new Set(
  "a,an,and,bit,little,very,more,here,now,up,s,sec,secs,second,seconds,ms,sehr,etwas,und,sek,sekunde,sekunden,très,et,seconde,secondes,muy,y,segundos,molto,e,secondi,heel,en,muito,bardzo".split(
    ",",
  ),
);

/** Words of the longest entry. */
const MOST_WORDS = 3;

/** Something in brackets on which a sentence may end or begin; brackets inside each other are no direction. */
const BRACKETED =
  /\[[^[\]]{1,60}\]|\{[^{}]{1,60}\}|\([^()]{1,60}\)|【[^【】]{1,60}】|（[^（）]{1,60}）|［[^［］]{1,60}］/gu;

/** Where a sentence has ended, and may have been quoted. */
const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/u;

/** Who speaks, at the head of a line of a script: `AD:`, `NARRATOR (V.O.):`. */
const SPEAKER =
  /^(?:AD|V\.?O\.?|VOICE[- ]?OVER|NARRATOR|NARRATION|DESCRIBER|AUDIO DESCRIPTION|AUDIODESKRIPTION|AUDIODESCRIPTION|AUDIODESCRIPCIÓN|AUDIODESCRIÇÃO|AUDIODESCRIZIONE|SPRECHER(?:IN)?|ERZÄHLER(?:IN)?|NARRATEUR|NARRATRICE|NARRADORA?|NARRATORE|NARRATRICE|LOCUTORA?|LEKTOR(?:KA)?)(?: ?[([][^()[\]]{1,30}[)\]])?\s*[:：]\s+(?=\S)/u;

/** Markup of speech (W3C, SSML 1.1) as people type it: an element with attributes, one that is empty, or the end of one. */
const SPEECH_MARKUP =
  /<(?:break|mark|emphasis|prosody|say-as|phoneme|sub|voice|lang|audio|speak)(?:\s+[a-z:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))+\s*\/?>|<(?:break|mark)\s*\/>|<(emphasis|prosody|speak)>(?=[^<>]*<\/\1>)|<\/(?:emphasis|prosody|say-as|phoneme|sub|voice|lang|audio|speak)>/g;

/** Anything that a direction begins with. */
const SIGN = /[[({<:：【（［]/u;

/** A text with what in it is said to the voice, and not to the listener. */
interface Directed {
  /** What is heard, white space folded. */
  readonly spoken: string;
  /** Each direction as it stands there: `[slowly]`, `NARRATOR (V.O.):`. */
  readonly directions: readonly string[];
}

/**
 * Parts the words of a description from directions to the voice. A direction stands in brackets at the start, or behind a
 * sentence, and every word of it is one that scripts say to a voice; whatever else stands in brackets is words.
 */
export function partDirections(text: string): Directed {
  const directions: string[] = [];
  let spoken = text;
  // What stood behind one may begin the words now, and be one too.
  for (let pass = 0; pass < MOST_PASSES && SIGN.test(spoken); pass++) {
    const rest = withoutDirections(spoken, directions);
    if (rest === spoken) break;
    spoken = rest;
  }
  return { spoken, directions };
}

/** Directions behind each other that are looked for: more than anybody writes, and a bound for what was made to take long. */
const MOST_PASSES = 32;

/** Characters before a bracket in which a sentence shows its end. */
const END_LENGTH = 16;

function withoutDirections(text: string, directions: string[]): string {
  const before = directions.length;
  const take = (direction: string) => {
    directions.push(direction.trim());
    return " ";
  };
  const unmarked = text.includes("<") ? text.replace(SPEECH_MARKUP, take) : text;
  const own = unmarked.replace(SPEAKER, take);
  const parts: string[] = [];
  let from = 0;
  for (const { 0: bracketed, index } of own.matchAll(BRACKETED)) {
    const near = own.slice(Math.max(from, index - END_LENGTH), index).trimEnd();
    const isBehindSentence = near === "" ? index - from < END_LENGTH : SENTENCE_END.test(near);
    if (!isBehindSentence || !isDirection(bracketed)) continue;
    parts.push(own.slice(from, index), take(bracketed));
    from = index + bracketed.length;
  }
  return directions.length === before ? text : foldedWords(parts.join("") + own.slice(from));
}

/** What is heard of a text: without directions to the voice. */
export function spokenText(text: string): string {
  return partDirections(text).spoken;
}

/** Cues as those have them who hear them, or read along: without directions to the voice. */
export function spokenCues<One extends { readonly text: string }>(cues: readonly One[]): One[] {
  return cues.map((cue) => ({ ...cue, text: spokenText(cue.text) }));
}

/** Whether a cell or a note says nothing but what is said to the voice, with or without brackets: `quick, under music`. */
export function isDirectionAlone(text: string): boolean {
  return text.length <= LONGEST && (isDirection(`[${text}]`) || spokenText(text) === "");
}

/** Characters of the longest direction that is looked for. */
const LONGEST = 60;

function isDirection(bracketed: string): boolean {
  const words = bracketed
    .slice(1, -1)
    .toLowerCase()
    .replace(/(?<=\p{L})\.(?=\p{L})|(?<=\.\p{L})\./gu, "")
    .replace(/[’`]/g, "'")
    .split(/[^\p{L}\p{M}']+/u)
    .filter((word) => word !== "");
  let isKnown = false;
  for (let at = 0; at < words.length; ) {
    const length = [MOST_WORDS, 2, 1].find((count) => KNOWN.has(words.slice(at, at + count).join(" ")));
    if (length === undefined && !AROUND.has(words[at] ?? "")) return false;
    isKnown ||= length !== undefined;
    at += length ?? 1;
  }
  return isKnown;
}
