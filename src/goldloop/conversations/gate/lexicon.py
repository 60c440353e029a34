"""The words that speak well or ill of something, in many languages, and what a "not" before them makes of them. Pure.

The embedding knows what a sentence is about and hardly whether that is good news: these words tell.
"""

import re
from dataclasses import dataclass

_NEAR = 3  # words within which a "not" still turns what follows

_GOOD = (
    "good great nice perfect* awesome amazing brilliant* fantastic* wonderful* superb lovely "
    "beautiful* love loved loves loving like liked helpful helps helped helping useful impress* "
    "clear clearer clearly crystal convincing convinced thorough* professional solid neat sweet "
    "slick smooth smoothly elegant* clever smart genius gold golden handy tidy clean crisp concise "
    "accurate* correct correctly right precise* exact* flawless* impeccabl* outstanding exceptional* "
    "remarkabl* stunning gorgeous delightful* delicious tasty yummy charming touching moving "
    "inspiring insightful valuable invaluable reassur* relief relieved calm* happy glad pleased "
    "delighted thrilled satisfied grateful thankful appreciate* enjoy* fun funny hilarious cool dope "
    "sick fire lit slaps rocks rock legend star hero champ lifesaver saviour savior angel wizard "
    "magic marvel* splendid terrific fabulous phenomenal incredible unbelievabl* super top best "
    "better favourite favorite win won winner success* succeed* worked works working fixed fixes "
    "solved solves resolved sorted healed cured passed passes accepted approved agreed granted "
    "signed refunded paid arrived delivered merged deployed shipped live green healthy stable faster "
    "quicker fast quick instantly saved saves improved improves improvement recover* restored flies "
    "charm easy easier easily simple readable understandable understood understand sense clicked "
    "insight learned learnt agree confirmed confirms proves true reliable trust trusted recommend* "
    "bravo congrats kudos props respect wow yay hooray woohoo phew finally lgtm nailed crushed aced "
    "ace bingo bullseye masterpiece treat pleasure joy blessing gem polished fitting suitable "
    "appropriate relevant matching matches ties balanced full complete bueno buena buenos buenas "
    "bien perfecto perfecta estupendo fenomenal maravill* increíble encant* gust* útil clarísim* "
    "correcto mejor funcion* sirvió ayudó logré pude listo crack acertaste gut gute guter gutes toll "
    "klasse prima perfekt* hervorragend* ausgezeichnet* wunderbar* großartig* genial* spitze mega "
    "hilfreich* verständlich* klar richtig passt stimmt gefällt geholfen läuft klappt geklappt "
    "funktioniert* gelöst schön* sauber bon bonne génial* parfait* excellent* magnifique* "
    "formidable* impeccable* utile* clair* limpide* juste marche fonctionne réussi résolu nickel "
    "merveilleu* ravi* content* aidé adore bom boa ótim* excelente* perfeit* maravilh* incrível "
    "clar* resolv* ajudou adorei gostei amei show certinho buon* ottim* perfett* eccellent* "
    "bravissim* brav* bell* utilissim* chiar* funziona funzionato risolto giusto grande complimenti "
    "meraviglios* piace piaciuto goed goede mooi* uitstekend* geweldig* fantastisch* handig "
    "duidelijk* werkt gelukt opgelost fijn blij хорош* отличн* прекрасн* супер класс* замечательн* "
    "идеальн* крут* полезн* понятн* ясн* помог* работает заработал* получил* решил* верно правильно "
    "молод* рад блестящ* великолепн* здорово нравится понравил* dobr* świetn* doskonał* idealn* "
    "fantastyczn* rewelac* pomocn* jasn* działa udało pomog* zadziałał* genialn* brawo piękn* podoba "
    "iyi güzel harika mükemmel süper müthiş faydalı yararlı başarılı çalıştı çalışıyor oldu çözüldü "
    "sevdim beğendim bra fantastiskt skvěl* výborn* tuyệt tốt bagus mantap keren accha achha badhiya "
    "sahi"
)
_GOOD_APART = (
    "好|棒|赞|完美|厉害|清楚|明白|有用|有帮助|喜欢|不错|优秀|成功|解决了|修好|能用|可以用|感谢你的|正确|正是|漂亮|精彩|满意|"
    "良い|良かった|いい|よかった|素晴|最高|完璧|分かりやす|わかりやす|助かり|助かった|役に立ち|役立ち|直り|できました|成功|うまく|気に入|"
    "素敵|綺麗|きれい|すごい|嬉し|正しい|動きました|動いた|"
    "좋|최고|완벽|훌륭|멋지|멋진|감동|도움이 됐|도움이 되|도움 됐|잘 |잘되|잘돼|해결|성공|맞아요|맞네요|마음에 들|이해됐|이해했|고마워요 덕분|덕분|"
    "ممتاز|رائع|جميل|جيد|مفيد|واضح|نجح|يعمل|اشتغل|أحسنت|أعجبني|مثالي|بالضبط|ساعدني|فهمت|صحيح|"
    "अच्छ|बढ़िया|शानदार|सुंदर|उत्तम|सही|मदद मिली|काम कर गया|चल गया|हो गया|ठीक हो|पसंद|वाह|कमाल|बेहतरीन"
)
_ILL = (
    "bad wrong incorrect* false inaccura* mistake* mistaken error* errors lie lies lying untrue "
    "nonsense garbage rubbish trash useless terribl* awful* horribl* horrid dreadful* worst worse "
    "poor poorly suck sucks sucked boring dull bland disappoint* frustrat* annoy* irritat* infuriat* "
    "ridiculous* absurd stupid dumb idiotic silly lazy sloppy careless unacceptable outdated "
    "obsolete deprecated expired incomplete vague generic misunderst* misread mislead* misleading "
    "hallucinat* invented fabricated fake bogus misspell* misspelt typo typos swapped contradict* "
    "confus* unclear incomprehensible illegible unreadable gibberish pointless worthless hopeless "
    "joke mess messy messed cluttered clumsy awkward cheesy robotic stiff wooden patronis* patroniz* "
    "condescending rude insult* offensive embarrass* ashamed shame yikes ugh wtf smh bs bullshit "
    "crap crappy shit damn hell sigh facepalm fail fails failed failing failure fault faulty broken "
    "broke breaks break crash* freeze* frozen freezes hang hangs hanging stuck spinning endless "
    "forever loop loops segfault traceback exception timeout stacktrace bug buggy bugs glitch* "
    "corrupt* garbled blank empty missing lacks lack absent duplicate* deleted overwritten wiped "
    "unchanged ignored ignoring ignore forgot forgotten missed skipped omitted overlooked neglected "
    "refused refuses refuse rejected rejects denied declined bounced blocked banned locked "
    "unreachable unavailable unknown unrecognized unrecognised unsupported invalid undefined null "
    "nan dead offline slow slower sluggish laggy expensive overpriced unaffordable late overdue "
    "delayed waiting wasted waste tired exhausting enough nowhere worried worrying dangerous unsafe "
    "illegal risky unhappy unsatisfied dissatisfied angry angrier furious upset sad cried laughed "
    "complained complain* trouble problem problems worsened hurts hurt burnt burned leaking leaks "
    "smoke irrelevant unrelated repetitive repeat* pathetic lousy shoddy subpar mediocre weak lame "
    "meh cringe unusable impossible unfair overcomplicated verbose wordy bloated rambling mal mala "
    "malo errores errone* equivocad* falso falsa inútil horrible* pésim* terrible* peor basura "
    "tontería* falta faltan fallo falla roto rota lento aburrid* decepcion* tampoco nada falsch* "
    "schlecht* fehler* fehlerhaft* unsinn quatsch unbrauchbar* nutzlos* katastroph* schrecklich* "
    "furchtbar* enttäusch* mist blöd* kaputt fehlt fehlen leer unverständlich* unvollständig* "
    "veraltet* langsam* ärgerlich* faux fausse mauvais* nul nulle erreur* inutil* catastroph* déçu* "
    "décev* manque* raté* cassé* vide* lent* incompréhensible* errad* erro erros ruim péssim* "
    "horrív* inúteis lixo falt* quebr* sbagliat* errore errori pessim* brutt* orribil* delus* manca "
    "mancano rotto rotta vuot* male fout foute fouten slecht* waardeloos waardeloze onzin nutteloos "
    "verkeerd* teleurgesteld kapot ontbreekt ontbreken leeg traag плох* неправильн* неверн* ошиб* "
    "бесполезн* ужасн* кошмар ерунд* чушь бред разочаров* сломал* пуст* медленн* зря хуже źle złe "
    "zły błąd błęd* bzdur* bezużyteczn* okropn* fataln* beznadziejn* rozczarow* brakuje pust* zepsu* "
    "gorzej yanlış hata* kötü berbat saçma* yaramadı yaramıyor olmadı bozul* bozuk eksik boş yavaş "
    "anlamadın açılmıyor çalışmıyor fel dålig* värdelös* špatn* chyb* hrozn* sai tệ salah jelek "
    "galat bekar bakwas"
)
_ILL_APART = (
    "错|不对|差|糟|烂|没用|无用|坏|失败|报错|不行|不能|不存在|没有用|失望|无聊|垃圾|空的|少了|漏|缺|白屏|黑屏|卡住|没变|没反应|胡说|废话|"
    "違|間違|誤|ひど|最悪|ダメ|だめ|エラー|失敗|使えない|役に立た|参考になりませ|動かな|動きませ|開きませ|壊れ|空白|足りな|抜けて|がっかり|意味不明|わかりにく|分かりにく|"
    "틀렸|틀린|잘못|최악|엉망|쓸모없|실망|오류|에러|안 되|안돼|안 돼|안 열|없는데|없잖|없어요|빠졌|빠져|느려|상관없|이상해|"
    "خطأ|سيئ|غير صحيح|لا يعمل|لا تعمل|لم يعمل|غير مفيد|لا تفيد|لا فائدة|فشل|معطل|فارغ|ناقص|هراء|مخيب|"
    "गलत|खराब|बेकार|काम नहीं|नहीं चल|नहीं हुआ|नहीं खुल|एरर|घटिया|बकवास|अधूरा|निराश|काम का नहीं|कोई फायदा नहीं"
)
_NOT = (
    "not no never nothing hardly barely nobody none neither nor without cannot cant can't don't dont "
    "doesn't doesnt didn't didnt isn't isnt wasn't aren't weren't won't wouldn't couldn't shouldn't "
    "haven't hasn't hadn't ain't zero less nunca nada sin ni tampoco nicht kein keine keinen nie "
    "ohne pas jamais rien sans aucun aucune não nao nem sem non niente mai senza niet geen nooit "
    "zonder не нет ни без никак bez değil yok inte ingen ne není không tidak bukan nahi nahin"
)


_WORD = re.compile(r"\w+(?:['’]\w+)?")
_BREAK = re.compile(r"[.,;:!?…]")  # a "not" does not reach beyond these


@dataclass(frozen=True, slots=True, kw_only=True)
class Tone:
    """How many words speak well and ill, and how many of each stand behind a "not"."""

    good: int
    ill: int
    not_good: int
    not_ill: int


def _split(listed: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Whole words, and the beginnings of words, which are written with a star."""
    entries = listed.split()
    return (
        frozenset(entry for entry in entries if not entry.endswith("*")),
        tuple(entry[:-1] for entry in entries if entry.endswith("*")),
    )


_GOOD_WORDS, _GOOD_BEGINNINGS = _split(_GOOD)
_ILL_WORDS, _ILL_BEGINNINGS = _split(_ILL)
_NOT_WORDS, _ = _split(_NOT)
_GOOD_PARTS, _ILL_PARTS = re.compile(_GOOD_APART), re.compile(_ILL_APART)


def tone_of(sentence: str) -> Tone:
    """Of what is written without spaces, only the parts count; such a "not" is one of them."""
    counts = {"good": len(_GOOD_PARTS.findall(sentence)), "ill": len(_ILL_PARTS.findall(sentence))}
    counts |= {"not_good": 0, "not_ill": 0}
    for clause in _BREAK.split(sentence.replace("’", "'").lower()):
        turned = 0  # words for which a "not" still holds
        for word in _WORD.findall(clause):
            side = _side(word)
            if side:
                counts[f"not_{side}" if turned else side] += 1
            turned = _NEAR if word in _NOT_WORDS else max(0, turned - 1)
    return Tone(**counts)


def _side(word: str) -> str | None:
    if word in _ILL_WORDS or word.startswith(_ILL_BEGINNINGS):
        return "ill"
    return "good" if word in _GOOD_WORDS or word.startswith(_GOOD_BEGINNINGS) else None
