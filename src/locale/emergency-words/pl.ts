/** What emergencies sound like in Polish. */
import type { EmergencyWords } from "./words.js";

export const polish: EmergencyWords = {
  cries:
    "mayday, sos, ratunku, na pomoc, ratujcie, pomozcie mi, pomozcie nam, wezwij pomoc, wezwijcie pomoc, wezwac pomoc, potrzebna pomoc, potrzebuje pomocy szybko, chodzcie szybko, szybko chodzcie, przyjdzcie szybko, chodz szybko, to nagly wypadek, mamy nagly wypadek, mamy wypadek, czlowiek lezy",
  alone: "pomocy, pomoc, pomozcie, pomoz mi, wypadek, potrzebuje pomocy, potrzebujemy pomocy",
  dire: "nie oddycha, nie moge oddychac, nie moze oddychac, przestal oddychac, przestala oddychac, brak pulsu, nie ma pulsu, nieprzytomn*, stracil przytomnosc, stracila przytomnosc, zemdlal*, zemdlał*, krwawi*, wykrwawia*, zawal serca, ma zawal, udar, ma udar, drgawki, ma atak, padaczk*, porazil prad, porazil go prad, porazony, porazona, boli w klatce, bol w klatce, boli w piersi, nie rusza sie, nie reaguje, dlawi sie, sie dlawi, zadlawil*, zadlawił*, dusi sie, sie dusi, topi sie, pali sie, pali mu sie, pali jej sie, pali mi sie, plonie, stanal w ogniu, w plomieniach, zapalil sie, zapalila sie, wybuchl*, wybuchł*, czuc gaz, smierdzi gazem, ulatnia sie gaz, ulatnia sie, potracil*, potracił*, przejechal czlowieka, przejechal go, bija, bije go, pobili, dzgnal, napad na, napadli, postrzel*, strzelaja, odcial sobie, odcielo",
  who: "ja, mi, mnie, on, ona, mu, go, jej, nas, nam, ktos, kogos, komus, osoba, osoby, ludzi, ludzie, czlowiek*, mezczyzn*, kobiet*, koleg*, kolezank*, pracownik*, kierowc*, klient*, gosc, gosci*, pacjent*, dziecko, dzieci, chlopak*, chlopiec, dziewczyn*, facet*, uczen, uczn*",
  body: "reka, reke, rece, dlon, dlonie, palec, palca, palce, kciuk*, ramie, noga, noge, nogi, stopa, stope, glowa, glowe, twarz, oko, oczy, oczu, wlosy, rekaw, kurtka, ubranie, piers, szyja, plecy, usta, skora, skore",
  harm: "spadl*, spadł*, upadl*, upadł*, przewrocil*, uwiezion*, utknal*, utknął*, utknel*, zatrzasnal sie, zatrzasnela sie, zatrzasnalem*, zatrzasnelam*, zamkniety w, zamknieta w, przygniecion*, przygniotl*, przygniotł*, przysypal*, przysypan*, zgniecion*, ranny, ranna, ranni, umiera, nie zyje, poparzyl*, poparzył*, poparzon*, oparzyl*, oparzył*, zatrul*, zatruł*, zakrztusil*, zakrztusił*, zaslabl*, zasłabł*, wciagnel*, wciagnęł*, zaatakowan*, uderzon*, nie moge wyjsc",
  wound:
    "uciet*, ucial*, uciął*, ucielo, odciet*, urwal*, zlaman*, zlamal*, zmiazdzon*, zmiazdzyl*, przyciet*, przycial*, zaklinowan*, utknel*, weszl*, wciagn*, prysn*, chlapn*, piecze, pieka, szczypia, skaleczyl*, rozciel*, rozcial*",
  into: "w, we, do",
  under: "pod, pomiedzy, miedzy",
  crusher:
    "tasm*, przenosnik*, pras*, walec, walk*, maszyn*, mieszalnik*, mikser*, pil*, lancuch*, regal*, palet*, ladunk*, wozek, wozk*, wozka, ciezarowk*, pojazd*, kol*, wind*, rozdrabniacz*, frytownic*, krajalnic*",
  summon:
    "wezwij, wezwijcie, wezwac, dzwon, dzwoncie, zadzwon, zadzwoncie, przyslij, przyslijcie, potrzebujemy, potrzebuje, potrzebna, potrzebny, trzeba, sprowadz, zawolaj, zawolajcie, dawajcie",
  rescue:
    "karetk*, pogotowi*, lekarz*, ratownik*, straz, straz pozarn*, strazak*, policj*, 112, 999, 998, defibrylator*, aed, pomoc medyczn*",
  hazard: "pozar, ogien, dym, plomienie, wybuch, eksplozja, wyciek gazu, bomba, napad, strzelanina",
  place:
    "w, we, na, przy, z, ze, pod, za, obok, kolo, nad, tu, tutaj, wszedzie, leci, idzie, wydobywa, teraz, szybko, u",
  substance:
    "gaz, gazu, amoniak*, chlor*, kwas*, lug*, chemikali*, propan*, rozpuszczalnik*, czynnik*, odkamieniacz*, wybielacz*, czad*",
  escapes: "wyciek*, cieknie, ulatnia, wycieka*, rozlal*, rozlał*, uchodzi, wydobywa, rozszczelni*",
  weapon: "noz, nozem, bron, bronia, pistolet*, siekier*, maczet*, bomb*",
  armed: "z, ma, grozi, wyciagn*",
  supposing: "jesli, jezeli, gdy, gdyby, kiedy, w razie, w przypadku, zanim, po tym jak, dopoki, czy",
  upon: "przy, podczas, przeciw, o, dla, na wypadek",
  asking:
    "co, gdzie, kiedy, kto, kogo, komu, ktory, ktora, ktore, dlaczego, jak, jaki*, jakie, ile, ilu, czy, pod jaki, wolno, musze, nalezy, powinien*, wyjasnij",
  opening: "czy",
  whatNow: "co robic, co mam robic, co mam zrobic, co zrobic, co teraz, co robimy, jak pomoc",
  denying: "nie ma, zaden, zadn*, nikt*, nigdy, bez, brak",
  past: "wczoraj, w zeszlym, zeszlego, w ubieglym, ostatnio, ostatnim razem, rok temu, lata temu, jak zawsze, jak zwykle, codziennie, zazwyczaj, czesto, kiedys",
  paper:
    "cwiczen*, szkoleni*, procedur*, zasad*, polityk*, list*, plan, planu, formularz*, podrecznik*, instrukcj*, krok*, regul*, numer*, rejestr*, ubezpieczen*, przeglad*, statystyk*, raport*, probny",
  harmless:
    "gasnic*, czujnik dymu, czujka dymu, drzwi przeciwpozarow*, alarm pozarow*, pierwsza pomoc, pierwszej pomocy, wyjscie awaryjne, numer alarmow*, probny alarm, pali sie do, palil sie do, pali sie lampka, pali sie swiatlo, butla z gazem, butle z gazem, umieram z glodu, umieram z nudow, reka w reke, pod reka, zdarzenie potencjalnie wypadkow*, na przerwe na dym, potrzebuje pomocy z, potrzebuje pomocy przy, pomoc z",
};
