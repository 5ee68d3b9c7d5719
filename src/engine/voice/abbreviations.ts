/** What is written short and said long, by first part of the language code. */
export interface Abbreviations {
  /** Matched as whole words, wherever they stand. */
  readonly words: Readonly<Record<string, string>>;
  /** Matched before a number only, where they mean something else elsewhere. */
  readonly beforeNumbers?: Readonly<Record<string, string>>;
  /** Units, matched after a number only: what is said of one, and of any other number; a single word for both. */
  readonly units: Readonly<Record<string, string | readonly [one: string, many: string]>>;
}

/**
 * Abbreviations that speech engines were heard to misread: espeak-ng ends the sentence after `Mr.` and says `km/h` letter
 * by letter. What all engines read well (`%`, `°`, whole and decimal numbers) is left to them.
 */
export const ABBREVIATIONS: Readonly<Record<string, Abbreviations>> = {
  en: {
    words: {
      "Mr.": "Mister", "Mrs.": "Missis", "Ms.": "Miz", "Prof.": "Professor", "Jr.": "Junior", "Sr.": "Senior",
      "Sgt.": "Sergeant", "Lt.": "Lieutenant", "Col.": "Colonel", "Capt.": "Captain", "Gen.": "General",
      "Rev.": "Reverend", "Gov.": "Governor", "Sen.": "Senator", "vs.": "versus", "e.g.": "for example",
      "i.e.": "that is", "approx.": "approximately", "a.m.": "A M", "p.m.": "P M", "w/": "with", "and/or": "and or",
      "Ave.": "Avenue", "Blvd.": "Boulevard", "Dept.": "Department", "Inc.": "Incorporated", "Ltd.": "Limited", "&": "and",
      "Mt.": "Mount", "Ph.D.": "P H D", CO2: "C O 2",
    },
    beforeNumbers: {
      "Vol.": "volume", "vol.": "volume", "Fig.": "figure", "fig.": "figure", "Ch.": "chapter", "ch.": "chapter", "Apt.": "apartment",
      "p.": "page", "pp.": "pages", "Nos.": "numbers",
    },
    units: {
      "km/h": ["kilometre per hour", "kilometres per hour"], kph: ["kilometre per hour", "kilometres per hour"],
      mph: ["mile per hour", "miles per hour"], km: ["kilometre", "kilometres"], m: ["metre", "metres"],
      cm: ["centimetre", "centimetres"], mm: ["millimetre", "millimetres"], kg: ["kilogram", "kilograms"], g: ["gram", "grams"],
      l: ["litre", "litres"], ml: ["millilitre", "millilitres"], lbs: ["pound", "pounds"], lb: ["pound", "pounds"], oz: ["ounce", "ounces"],
      ft: ["foot", "feet"], "sq ft": ["square foot", "square feet"], "°C": ["degree Celsius", "degrees Celsius"],
      "°F": ["degree Fahrenheit", "degrees Fahrenheit"], min: ["minute", "minutes"], sec: ["second", "seconds"],
      hr: ["hour", "hours"], hrs: ["hour", "hours"],
    },
  },
  de: {
    words: {
      "Hr.": "Herr", "Fr.": "Frau", "Dr.": "Doktor", "Prof.": "Professor", "Nr.": "Nummer", "St.": "Sankt", "z. B.": "zum Beispiel",
      "z.B.": "zum Beispiel", "d. h.": "das heißt", "d.h.": "das heißt", "usw.": "und so weiter", "bzw.": "beziehungsweise",
      "ca.": "circa", "u. a.": "unter anderem", "u.a.": "unter anderem", "evtl.": "eventuell", "&": "und",
      "ggf.": "gegebenenfalls", "inkl.": "inklusive", "max.": "maximal", "min.": "minimal", "Mio.": "Millionen", "Mrd.": "Milliarden",
      "Str.": "Straße", "Hbf.": "Hauptbahnhof", "Std.": "Stunden", "i. d. R.": "in der Regel", "i.d.R.": "in der Regel", "Tel.": "Telefon",
    },
    beforeNumbers: { "S.": "Seite", "Bd.": "Band", "Kap.": "Kapitel", "Abb.": "Abbildung" },
    units: {
      "km/h": "Kilometer pro Stunde", km: "Kilometer", m: "Meter", cm: "Zentimeter", mm: "Millimeter", kg: "Kilogramm", g: "Gramm",
      l: "Liter", ml: "Milliliter", "°C": "Grad Celsius", "Std.": ["Stunde", "Stunden"], "Min.": ["Minute", "Minuten"], min: ["Minute", "Minuten"],
      "Sek.": ["Sekunde", "Sekunden"], "Mio.": ["Million", "Millionen"], "Mrd.": ["Milliarde", "Milliarden"],
    },
  },
  fr: {
    words: {
      "M.": "Monsieur", "MM.": "Messieurs", Mme: "Madame", Mmes: "Mesdames", Mlle: "Mademoiselle", Mlles: "Mesdemoiselles",
      "av. J.-C.": "avant Jésus-Christ", "apr. J.-C.": "après Jésus-Christ", "Tél.": "téléphone", "Dr": "Docteur", "Pr": "Professeur", "p. ex.": "par exemple",
      "etc.": "et cetera", "env.": "environ", "av.": "avenue", "bd": "boulevard", "n°": "numéro", "N°": "numéro", "&": "et",
    },
    beforeNumbers: { "p.": "page", "pp.": "pages", "vol.": "volume", "chap.": "chapitre", "fig.": "figure" },
    units: {
      "km/h": ["kilomètre à l'heure", "kilomètres à l'heure"], km: ["kilomètre", "kilomètres"], m: ["mètre", "mètres"],
      cm: ["centimètre", "centimètres"], mm: ["millimètre", "millimètres"], kg: ["kilo", "kilos"], g: ["gramme", "grammes"],
      l: ["litre", "litres"], "°C": ["degré Celsius", "degrés Celsius"], min: ["minute", "minutes"], sec: ["seconde", "secondes"],
    },
  },
  es: {
    words: {
      "Sr.": "Señor", "Sra.": "Señora", "Srta.": "Señorita", "Dr.": "Doctor", "Dra.": "Doctora", "Prof.": "Profesor",
      "D.": "Don", "Dña.": "Doña", "Ud.": "usted", "Uds.": "ustedes", "p. ej.": "por ejemplo", "etc.": "etcétera", "n.º": "número",
      "EE. UU.": "Estados Unidos", "EE.UU.": "Estados Unidos", "&": "y",
      "Av.": "avenida", "Avda.": "avenida", "Tel.": "teléfono",
    },
    beforeNumbers: { "pág.": "página", "págs.": "páginas", "núm.": "número", "vol.": "volumen", "cap.": "capítulo", "fig.": "figura" },
    units: {
      "km/h": ["kilómetro por hora", "kilómetros por hora"], km: ["kilómetro", "kilómetros"], m: ["metro", "metros"],
      cm: ["centímetro", "centímetros"], mm: ["milímetro", "milímetros"], kg: ["kilo", "kilos"], g: ["gramo", "gramos"],
      l: ["litro", "litros"], "°C": ["grado centígrado", "grados centígrados"], min: ["minuto", "minutos"],
    },
  },
  it: {
    words: {
      "Sig.": "Signor", "Sig.ra": "Signora", "Sig.na": "Signorina", "Dott.": "Dottor", "Dott.ssa": "Dottoressa",
      "Prof.": "Professor", "Ing.": "Ingegner", "Avv.": "Avvocato", "ecc.": "eccetera", "n.": "numero", "&": "e",
    },
    units: {
      "km/h": ["chilometro all'ora", "chilometri all'ora"], km: ["chilometro", "chilometri"], m: ["metro", "metri"],
      cm: ["centimetro", "centimetri"], mm: ["millimetro", "millimetri"], kg: ["chilo", "chili"], "°C": ["grado Celsius", "gradi Celsius"],
      min: ["minuto", "minuti"],
    },
  },
  pt: {
    words: {
      "Sr.": "Senhor", "Sra.": "Senhora", "Srta.": "Senhorita", "Dr.": "Doutor", "Dra.": "Doutora", "Prof.": "Professor",
      "Profa.": "Professora", "etc.": "etcétera", "p. ex.": "por exemplo", "n.º": "número", "&": "e",
    },
    units: {
      "km/h": ["quilômetro por hora", "quilômetros por hora"], km: ["quilômetro", "quilômetros"], m: ["metro", "metros"],
      cm: ["centímetro", "centímetros"], mm: ["milímetro", "milímetros"], kg: ["quilo", "quilos"], "°C": ["grau Celsius", "graus Celsius"],
      min: ["minuto", "minutos"],
    },
  },
  nl: {
    words: {
      "dhr.": "de heer", "Dhr.": "De heer", "mevr.": "mevrouw", "Mevr.": "Mevrouw", "dr.": "dokter", "Dr.": "Dokter",
      "prof.": "professor", "Prof.": "Professor", "bijv.": "bijvoorbeeld", "enz.": "enzovoort", "nr.": "nummer", "ca.": "circa", "&": "en",
    },
    units: { "km/h": "kilometer per uur", "km/u": "kilometer per uur", km: "kilometer", m: "meter", cm: "centimeter", mm: "millimeter", kg: "kilo", "°C": "graden Celsius" },
  },
}; // biome-ignore format: a table reads better in rows
