/**
 * How many of 596 passages of Wikipedia hold a term: those of ClapNQ's development set, see
 * bench/data/clapnq. Written by `bench/train-answerability.ts`. Terms of fewer than 4 passages are left out.
 */
export const DOCUMENTS = 596;

/** Terms of a passage on average, with its title. */
export const TERMS_PER_DOCUMENT = 118;

/** What a term has that is not among those below. */
const RARE = 1.5;

/** A count, and the terms that have it. */
const TERMS_BY_FREQUENCY = `
320 s 284 from 208 which 164 have 160 also 156 other 155 were 149 hi us 146 ha 144 on 138 it 137 when 133
state 130 two 129 first 128 after 126 had 124 all 123 he 120 time 115 who 114 new 111 more 110 includ 103 been
101 than 100 year 93 about 86 call 85 between can onli 84 dure mai most over 83 out 81 up 80 her mani unit
would 79 later 78 while 77 some 73 through 71 known make 70 them 68 second 67 dai howev world 66 him nation
part 65 follow gener i 64 made name 63 american origin 62 end 61 becaus found she 60 well 59 so 58 befor 57 be
both show work 56 like 55 back produc sinc three 54 do peopl what 53 develop number same where 52 take war 51
remain 50 becom live own under 49 area citi larg seri song 48 although major 47 countri creat form 46 appear
around becam member refer 45 differ doe govern much plai record sever 44 north receiv season term west 43
continu exampl now place power system wai 42 ani each forc order right until 41 help mean 40 base chang long
posit present result set within 39 anoth earli group off product south those 38 act along compani could
current even high home hous return still 37 come get histori man point 36 ad begin caus episod film life
provid run septemb sometim wide 35 accord addit against allow complet featur final find million person see
singl sourc support 34 charact did four go how lead open public 33 british down import list perform period
process releas 32 centuri effect great littl love sai third without you 31 america began common consid english
famili give given good increas role star 30 august februari five hand land line offici plan report school
small 29 among best last left march move music novemb often said tell titl tradit 28 control direct due french
game head king need onc parti polit popul region side start veri 27 book contain east friend initi john just
less locat pass repres respons river though took univers usual york 26 believ case death design instead intern
island law least local look m remov thing thu top turn word 25 anim bodi collect join main materi near offic
re should week young 24 ag c consist field human ii individu level militari modern old organ rather relat
southern stori studi togeth upon want we western william 23 activ awai black capit close cultur de former grow
introduc issu kill languag learn leav meet my oper reach red reveal success suggest variou water written 22
award built claim cover critic decemb describ econom european fact girl half industri involv movement must
practic structur toward 21 abl announc behind cell civil commun decis establish fall father few fight fire
hold june men mother natur night octob presid program protect rang rule sign special trade white 20 author
central europ feel inform interest know never prevent requir scene sea seen short six son stop talk think type
19 across actual air alwai armi art attempt battl came canada center cost discov exist food goe januari juli
keep leader maintain occur popular research separ servic social subject suppli taken team televis true tv
version women 18 account administr adopt averag brother build ceremoni constitut construct decid depend
determin divid earth explain ey franc free himself improv manag mark market messag monei n next non northern
privat publish purchas recent reduc relationship rise serv seven size throughout typic write 17 abov affect
again almost ancient april associ commonli date despit especi eventu everi far german got hospit idea itself
largest late led marri month regul rest robert select signific similar student surfac thought too try uk vari
16 accept assist bill carri certain chart children choic dark deal eastern either enter entir except feder
function georg god held higher india indian la lack lake latin me middl note offer post propos realli rel sell
sent someth soon speak specif stage studio surviv town via win 15 action album appoint argu arriv board break
cast challeng class command court distribut duti energi england enough event execut experi histor hot leagu
let lost mari might observ oldest overal paul per piec problem purpos sale share standard strong todai visit
woman 14 asia ask b billboard brown busi china choos club coloni compos concern contrast custom cut dead
economi equal face factor farm financi footbal full further gold hundr ident indic inspir jame kingdom low
model o pai peak pick plant price put question realiz refus regular replac round royal shoot shown simpli
sound st store ten union unlik video wall 13 advanc amount annual blood blue car care charl co compar connect
damag depart di discuss district dr drive element extend hour insid intend legal light longer measur memori
nativ novel object ocean outsid parent pleas polici possibl potenti pre premier previou quickli rank real
republ resourc revenu rock section sing sister staff stand thoma total valu vote went your 12 actor approxim
attend band block canadian commerci commiss committe concept counti danc doctor done dutch educ elect evid
extens futur greek green ground hors institut invit km larger limit london mainli mi minor mountain normal
numer peter physic pictur player poor portrai prime project rais reject reliabl respect revolut save seem ship
space spanish speci style symbol tax techniqu themselv therefor told transport understand varieti w watch
winter won 11 academi achiev africa agreement al appar arrest articl artist bank below boat border box
california campaign cash celebr charg chief child church color combin comment condit corpor cours david declar
deep demand democrat deriv divis document drop earn edit empir fail farmer femal fill fish fly foreign frank
front germani grant guard h hide hit hope iron itali job loui lyric met minist mix mostli mr network option
our park past primari promin rate reason reserv review roman room secret secur sens session shape silver sit
sold surround technolog temperatur templat theme theori tri voic warn whom worker 10 acquir advic agent
alreadi altern arm attack australia avail bc bear big billion boi bring captur career christian citat colleg
consequ contract contribut d debut defens difficult drew e earlier emerg enemi essenti ever export express
extern famou fiction finish fourth frequent governor grand greater hard heart highest impact independ influenc
intens japan layer lee length male mass matter meanwhil media mission mount multipl netherland p particularli
phrase profession race reaction read regard resid resist road rush saint shot site situat smith societi speech
statu subsequ suffer summer taylor thousand tree unknown v view volum washington wed whole why window wrote 9
access accompani addition adult advantag affair african agre alon am arrang asset avoid ball basic belief
belong benefit better born britain brought cat chain coast collaps competit concentr conclud council credit
cross cycl daughter davi declin defend definit desir destroi digit distinct encount engag engin ensur
entertain f feet fifth figur financ flood flow format glass guest hall happen heat here hill host immedi impos
italian japanes jone justic kept knew latter letter listen lose loss machin martin medic mexico minut moment
monarch opposit paid particular pattern peac prepar princip print protest pull quarter queen recogn richard
rotat self sovereign spend spring stai stone street tabl test threaten travel unsourc vast verif walk wind 8
abil abus admit agricultur aid aliv answer anti anyth appeal assum attent attribut bed billi branch chanc
clear cloth code comedi commit complex confer congress consum copi coupl crown daniel decad defeat degre
director discoveri domest doubl effort elev entiti environ equip era escap expans expect fear forest gain gave
grew growth handl henri herself hole household husband incom interpret jean joe jr kei lower master mention
metal michael mile mississippi molecul nomin notabl occasion oil oppos otherwis parliament partial particip
passag percent percentag philadelphia polic portion previous primarili principl probabl promot push qualiti
quot rare realm request retain reviv rick saw scale search sequenc slightli spirit sport spot squar suffici
sun suprem teach territori throw tour tower train treatment troop util virginia volunt weight whose wood
worldwid yellow zealand zone 7 adapt analysi andrew approach arab aspect assembl audienc australian bad bar
beauti bond boundari bridg briefli broken bui burn ca camp castl channel chosen circumst citizen clearli coach
conduct conflict confus convent cool creation crew crisi daili danger decreas defenc defin depress detail
detect diseas disnei door draw dream electr emperor equat estim everyon everyth exercis expand explor flag
floor global grade greatest gui hair heard hemispher historian honor hunt interview ireland jane jim journal
kid kilometr labor labour legisl licens link literatur lord magazin manufactur marin marshal membran mill mind
mine moral motion movi nbc neighbor notic occupi older owner pacif page pain pair pari parker phase plate pop
possess pressur princ procedur properti protein readi recur reflect regain reloc restaur risk rob root sampl
san scholar scienc scott serial shield singer smaller solut someon spain speed struggl sugar suit survei tear
texa theoret throne ticket track transfer tribe trust ultim unabl viewer villag wait warm wave welcom wife
wild will winner wish writer 6 abandon absent absorb accomplish address ancestor appli argument babi
background bai balanc barrier basi birth bob bought brain budget cabinet canal capabl captain carol centr
chines chri circl circul clean climat cold combat comput concert conclus confirm consecut consider
contemporari context convinc cooper correct cotton cousin debt deliv descend displai displaystyl disput domin
drink driven drug eagl easili eat edward electron elizabeth elsewher emot emploi employ empti en enhanc
exchang expens explos extract facil failur fals fan favor favorit fell felt fix focu focus ford formal foundat
freedom ft gate gift goal gun happi harri harvest hear heaven henc highli highlight ignor imperi insist
instanc instruct intent invent invest iv j jackson johnni johnson joint judg kind korea ladi laugh marriag
match max mechan medicin mobil mom mtv navi nearli necessari nest nfl nick nine oliv oxid patrick peninsula
perhap perspect phone plantat poem port preced predat predict presenc preserv prior professor profit rai
recept reform reign reinforc relev religion render renew repeat republican respond restor restrict resum rich
ritual romant rose rpm rural sam sector senat sentenc sex shift shop similarli skill skin slave snow sole
sought span stock storm stream stress super sure surpris sustain sweet t tactic talent target teacher tend
text tobi translat treat tropic unless usag vallei ve vehicl vessel vietnam violenc virtual visibl wayn
weather websit whether withdraw wonder x 5 acr actress adam advertis advis ago alexand amend angel anglo ann
apart apolog applic approv architectur arizona artifici astronom atlanta attach attract audit beach beam beat
behavior ben beta beyond bind biolog bird bobbi bone bound broadcast broke calcul camera capac carbon carolina
casino cathol caught cb certifi chamber champion charli charm cite civilian colorado comic commission
commonwealth communist compet constant consult contact coordin corp count creatur crime crop cry cup dalla dan
data denni deploi desert destruct dinner dispatch distanc distinguish divers dna dog don donald doubt draft
dragon drama du dvd dynasti easi ed eighth enforc evacu evolv ex excel excess exclud extrem factori fashion
fertil festiv finger firm flash flight foot formerli founder fox franci friendli fuel fulli fund garrison
girlfriend grace graduat greatli gulf hang heal helm hindu hop hurt identifi iii imag increasingli
infrastructur injuri insur integr internet introduct isaac isol jack jerri joi junction jurisdict kiss label
launch leadership lieuten linguist lit liter load lot lover ly mainland manner map meant medium metabol mid
migrat miss moder monitor moon morn mouth muscl museum muslim mutual nor northeast nuclear nucleu obtain occup
onlin opera overse paint palac paper partli payment perceiv pet pete photo plagu playstat plu poet pole
predominantli press pretti prize pro prohibit pronounc proper prove provinc pursu rachel radio recal regist
religi remaind repair represent rescu resembl resort retail reveng ring ross rough safe safeti scream
secretari seek segment send senior sequel settlement shore simon sixth sky softwar southwest specul spent
spread sq statement station statist statut steal stem steven strain strength stretch strip subsidi substanc
sundai supervis surgeri surrend tail templ theatr threat ti toni topic transit trap truck truth tunnel turkei
twelv uniqu unusu urban user vers vertic victori violat vision volcan walker ward wherev yell 4 abort abraham
absolut abund accid accumul acid adequ admir afterward alcohol alex alter amateur amongst amplifi andi
anterior antiqu anyon appreci arnold ash assert assess assur atom attitud automat baron barri basin bath begun
bitter blockad bomb boston boyfriend brigad bronz brook buri bush bypass byzantin campbel cardin caribbean
carson catch certif characterist charlott charter chemic christoph chronicl clip cloud coalit cocain coin coma
competitor compil composit compound concret confess confid confront congression conquest convict cook correl
counter crazi creativ crimin crush dean debat debri dedic democraci demonstr deni densiti descript desper
devic devot dictat differenti diffus disappear divorc driver dry dy ear easier eight el elimin employe ensu
enterpris entitl equival erupt estat evil examin exclus expedit exploit expos exterior fabric facilit facto
faint fair fallen fame fellow fiber fifteen fleet florida flourish fort fought friedrich frozen fulfil fun
funer furthermor g ga gang gap garden gender genet genr geograph globe golden graviti greec grei grown guid
guinea han happili harder heavili height holi holidai hollywood homeland honour huge ic ideolog ill illus
illustr imagin implement impress incid inclus incumb induc infant infect inherit inland insert instrument
insult intellig interact invas investig investor invis ion iowa irish israel item jai jam jessica joei
jonathan jordan judgment junior k kevin kim knight knock korean landmark larri latitud lava lawyer le li liber
librari liver ll louisiana mainstream mandat massachusett massiv matur meaning mental merchandis merci mere
method michel mike miller miner ministri missouri mode motiv municip murder mysteri nearbi neutral nineteen
northwest noth notion nurs obviou oh olymp opportun outbreak overcom overhear owen panel parad particl pat
path patient penalti pennsylvania pepper perman permit philippin phillip philosoph philosophi photograph
photographi pi pilot pitch playoff pleasur polish posterior prais prank precipit predecessor prefer pregnanc
presidenti primit princess prison profil progress pronunci proto provinci psycholog punish r radic rain rap
rapid reader reagan recognit recommend recov recoveri regim reli rememb remind repli residu retir reunit revel
revers rewrit riaa robin rome ronald roof rout russian salt sanction scatter scholarship scientif scotland
screen script seat seattl secretli seed sensat settler shake shelter shock sieg signal simpl sir sixteen
slaveri slow slowli smooth soil soldier solid soul southeast southwestern soviet spin split statutori step
steve stranger strengthen stripe stronger strongli sub subsidiari substanti succe successfulli successor
suddenli sum sung superior suppress suspend synthesi tale teenag tendenc tennesse terminolog terri thank
theater therebi thompson tip tissu tool toss touch tradition transmit treati trial tributari twenti u un
underground uniform upper urg valuabl variant veget ventur victim victoria viru vocal volcano walter wander
wear web weekli welfar whatev wheel wherea wilson wit worth wrong xbox yard yet z
`;

const FREQUENCIES: ReadonlyMap<string, number> = read();

function read(): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  let frequency = RARE;
  for (const word of TERMS_BY_FREQUENCY.trim().split(/\s+/)) {
    const count = Number(word);
    if (Number.isNaN(count)) frequencies.set(word, frequency);
    else frequency = count;
  }
  return frequencies;
}

/** Of DOCUMENTS passages, how many hold this term. */
export function documentFrequency(term: string): number {
  return FREQUENCIES.get(term) ?? RARE;
}
