/**
 * Words that carry no fact of their own. Function words hold sentences together; light words may be added by whoever
 * speaks ("please", "then", "make sure") without saying anything that would need evidence.
 */
const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

export const FUNCTION_WORDS: ReadonlySet<string> = list(
  `a an the this that these those and or but nor so yet as if then than because since while although though whereas
  of at by for from in into on onto to with within upon about during through throughout until till against between
  among via per is am are was were be been being do does did doing have has had having will would shall should can
  could may might must ought cannot i me my mine myself you your yours yourself yourselves he him his himself she her
  hers herself it its itself we us our ours ourselves they them their theirs themselves who whom whose which what
  when where why how there here not no neither either both each any some such own same other another one ones s t d ll
  re ve m o'clock don doesn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn mustn didn ain
  don't doesn't isn't aren't wasn't weren't hasn't haven't hadn't won't wouldn't shouldn't couldn't mustn't didn't
  can't it's that's there's you're they're we're he's she's i'm you'll they'll it'll we'll i'll you've they've we've i've let's
  without unless except only just also too very more most less least much many few all every up down out off over under
  again once whether toward towards across along around`,
);

export const LIGHT_WORDS: ReadonlySet<string> = list(
  `please sure ok okay yes well now next finally afterwards afterward otherwise therefore thus hence however moreover
  additionally furthermore generally usually basically simply actually really quite rather especially specifically
  namely overall instead meanwhile still already currently always ever even
  make makes made making get gets getting got go goes going come comes put puts take takes taken taking took give gives
  given keep keeps kept let lets use uses used using be become becomes became do thing things something anything
  everything way ways case cases time times case order need needs needed want wants able sure ensure ensures remember
  careful carefully note important say says said state states stated tell mention mentions mentioned describe
  according document documents documentation handbook manual sheet policy procedure procedures instruction
  instructions passage passages section text source guide guideline guidelines rule rules information info detail
  details step steps follow follows following followed first second third lastly begin
  include includes included including called known name named refer refers referred refers mean means meant
  person people somebody someone anybody anyone everybody everyone
  part type kind kinds types sort number amount
  like such different various several many much lot lots certain particular
  have had has having must shall should may might can could will would
  done doing place right away carry carried work works happen happens occurs occur
  new whole full else younger older longer maximum minimum max min limit limits approximately
  roughly about around nearly almost exactly immediately
  safety reason reasons example look back forward`,
);

/** Verbs that open an instruction in a handbook, for telling an imperative from a statement; their base forms. */
export const ACTION_VERBS: ReadonlySet<string> = list(
  `add adjust agree aim allow apply arrange ask assemble attach avoid bake bleed block book brake bring brush build call
  carry change charge check choose clean clear climb close collect come connect cool count cover cut dial disconnect
  discard dispose do don drain drive drop dry empty enter evacuate exit face fasten fetch fight fill find fit flush foam
  follow get give go hang help hold inform insert inspect install isolate keep label lay leave let lift listen load lock
  look loosen lower make mark measure mix mop mount move name never note notify offer open park pick place plug pour
  press print prove pull pump push put raise reach read record refit refund release remove repeat replace report reset
  return ring rinse rotate run say scan scrub seal secure see select send set shake shout shut sign skim slide smell
  sound speak spray stand start stay step stop store sweep switch take tell test throw tie tighten torque touch treat
  turn unload unlock unplug use vacuum ventilate wait walk warn wash wear weigh wipe wrap write`,
);

/** Words that a subject ends before. */
export const AUXILIARIES: ReadonlySet<string> = list(
  "may can must shall should will is are was were has have had does do did cannot can't not never might could would",
);

/** Words that a thing follows which something is done to: they tell "and open the valve" from "doors and locks". */
export const DETERMINERS: ReadonlySet<string> = list(
  "a an the this that these those it them him her your my our their its all both each every any another one two",
);
