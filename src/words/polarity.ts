/** Words that deny, oblige, recommend and allow, by language. Data only. */

/** What `language.ts` can tell apart. */
export type Language = "en" | "es" | "fr" | "de" | "pl" | "uk";

/** One value for each language. */
export function byLanguage<T>(of: (language: Language) => T): Readonly<Record<Language, T>> {
  return { en: of("en"), de: of("de"), es: of("es"), fr: of("fr"), pl: of("pl"), uk: of("uk") };
}

const list = (words: string): readonly string[] => words.split(/\s+/);

/** Words that turn what follows them in their clause into its opposite. */
export const NEGATIONS: Readonly<Record<Language, readonly string[]>> = {
  en: list(
    "not no never neither nor none nobody nothing nowhere without cannot cant dont doesnt isnt wont avoid refrain n't ain't hardly",
  ),
  es: list("no nunca jamás ni ningún ninguno ninguna nadie nada sin tampoco evite evitar"),
  fr: list("ne n pas jamais aucun aucune ni sans personne rien évitez éviter"),
  de: list("nicht nie niemals kein keine keinen keinem keiner keines niemand nichts ohne weder vermeiden"),
  pl: list("nie nigdy żaden żadna żadne nikt nic bez ani unikaj"),
  uk: list("не ніколи жоден жодна ніхто нічого без ані ні уникайте"),
};

/** Those of all languages. */
export const DENIALS: ReadonlySet<string> = new Set(Object.values(NEGATIONS).flat());

/** How strongly a clause binds. A change of class is a change of the rule. */
export type Modality = "forbidden" | "required" | "recommended" | "possible";

export const MODALS: Readonly<Record<Language, Readonly<Record<Modality, readonly string[]>>>> = {
  en: {
    forbidden: list("forbidden prohibited banned disallowed"),
    required: list("must shall required mandatory compulsory obligatory obliged obligated needs"),
    recommended: list("should ought recommended advisable advised preferably"),
    possible: list("may might can could allowed permitted optional optionally possibly"),
  },
  es: {
    forbidden: list("prohibido prohibida"),
    required: list("debe deben debes obligatorio obligatoria"),
    recommended: list("debería deberían recomendado recomienda"),
    possible: list("puede pueden podría permitido"),
  },
  fr: {
    forbidden: list("interdit interdite défense"),
    required: list("doit doivent devez obligatoire faut"),
    recommended: list("devrait devraient devriez recommandé"),
    possible: list("peut peuvent pouvez pourrait permis autorisé"),
  },
  de: {
    forbidden: list("verboten untersagt"),
    required: list("muss müssen musst vorgeschrieben"),
    recommended: list("sollte sollten empfohlen"),
    possible: list("kann können darf dürfen erlaubt"),
  },
  pl: {
    forbidden: list("zabronione zabroniony wzbronione zakazane"),
    required: list("musi muszą musisz należy trzeba obowiązkowo"),
    recommended: list("powinien powinna powinno powinny zaleca"),
    possible: list("może mogą możesz można wolno"),
  },
  uk: {
    forbidden: list("заборонено"),
    required: list("повинен повинна повинні мусить необхідно треба обов'язково"),
    recommended: list("слід варто рекомендовано"),
    possible: list("може можуть можна дозволено"),
  },
};

/** Frequent words that tell the languages apart. */
export const STOP_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: list(
    "the of and to in is are that it for with on this be from or by not have you your at " +
      "must when what how do does was were has will can if they which there before after " +
      "should never until its a an i we my our me where who why which whose could would may " +
      "might been being any some no so as up out us them then than only also go going get find " +
      "need",
  ),
  es: list(
    "el la los las de que y en un una por con para es no se del al lo como más su sus está " +
      "cuando antes después debe sin hasta qué cómo cuál son si",
  ),
  fr: list(
    "le la les de des et en un une du que qui est pour dans pas au aux sur avec ne se il " +
      "elle vous votre ce cette sont ou par avant après doit quand comment si",
  ),
  de: list(
    "der die das und ist nicht ein eine einen den dem des mit für auf von zu im sich auch es " +
      "an werden aus wenn sie ihr wie oder vor nach bei muss bis zum zur",
  ),
  pl: list(
    "i w na z się nie do to jest że o jak po co za od przez przed dla jest są być czy musi należy lub oraz gdy jeśli pod nad ten ta",
  ),
  uk: list(
    "і в на з не що до це як за від та у для по його її є при або якщо перед після має треба чи коли під над ви",
  ),
};

/** Words of what is told and asked, mostly for people and places: with `STOP_WORDS`, they tell its language. */
export const TELLING_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: list(
    "he she they him her them his their someone somebody anyone anybody nobody everyone man men woman women people person " +
      "am had did got just now here over off down into out under about myself himself ours mine isn aren wasn don didn can t ve ll",
  ),
  es: list(
    "yo él ella nosotros ellos alguien nadie hombre mujer gente persona niño aquí ahí hay ha han hemos estoy están tengo " +
      "tiene mi mis mío nuestro encima debajo dentro",
  ),
  fr: list(
    "je j il nous ils elles moi lui leur quelqu personne homme femme gens enfant ici là ai avons ont suis sommes était mon " +
      "ma mes notre dessous dedans",
  ),
  de: list(
    "ich er wir ihr ihn ihm uns mich mir jemand niemand mann frau leute mensch kind hier da hat habe haben bin sind war " +
      "wurde kann mein meine unser unter über rein raus",
  ),
  pl: list(
    "ja ona oni mnie mi go jej ktoś nikt człowiek mężczyzna kobieta osoba ludzie dziecko tu tutaj tam jestem był była " +
      "mam ma mój moja nasz",
  ),
  uk: list(
    "я він вона ми вони мене мені його хтось хто ніхто чоловік жінка людина люди дитина тут там був була маю мій моя наш",
  ),
};
