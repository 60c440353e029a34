"""The phrases by which people react, ask, thank and quote, in many languages. Pure.

Each cue is one regular expression; a sentence either has it or not. They stand beside the embedding, which knows
what a sentence is about better than whether it praises or complains, and which does not know Hindi.
"""

import re


def _any(*parts: str, apart: str = "") -> re.Pattern[str]:
    """Words with boundaries, then what is written without spaces."""
    bounded = rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)"
    return re.compile(f"{bounded}|{apart}" if apart else bounded, re.IGNORECASE)


_THEM = (
    r"(?:boss|manager|wife|husband|son|daughter|kids?|mom|mum|dad|mother|father|brother|sister|colleagues?|cowork\w+|team|"
    r"clients?|customers?|users?|landlord|tenant|doctor|dentist|teacher|professor|student|friends?|neighbou?rs?|ex|lawyer|"
    r"bank|airline|supplier|vendor|hotel|insurer|recruiter|driver|contractor|agency|judge|intern|dog|cat)"
)

_WORK = (
    r"(?:explanation|answer|summary|work|job|text|idea|list|poem|story|plan|advice|tips?|script|code|solution|recipe|letter|translation|version|draft|"
    r"design|response|reply|example|overview|analysis|report|speech|joke|recommendations?|suggestions?|choice|service|one|stuff|point|catch|call|"
    r"thinking|question|trick|article|table|chart|title|slogan|name|wording|style|tone|structure|layout|description|instructions?|guide|review|bot|"
    r"respuesta|trabajo|explicación|resumen|antwort|arbeit|erklärung|zusammenfassung|réponse|travail|explication|résumé|resposta|explicação|"
    r"risposta|lavoro|spiegazione|uitleg|antwoord|ответ|объяснение|работа|odpowiedź|wyjaśnienie|robota|cevap|açıklama)"
)

CUES: dict[str, re.Pattern[str]] = {
    "judges_well": _any(  # more than an exclamation: what is good about it
        r"(?:very |really |so |super |extremely |incredibly |most |pretty |much |quite |crystal |that'?s |was |is |it'?s )*(?:helpful|useful|clear(?:er)?|thorough|"
        r"insightful|informative|convincing|readable|reassuring|practical|well[- ](?:written|explained|structured|put|done|said)|easy to follow|"
        r"to the point|eye[- ]opening|spot on|on point|on the money|top notch|what i (?:needed|wanted|meant|was (?:looking|hoping|searching|asking) for))",
        rf"(?:good|great|nice|lovely|solid|excellent|perfect|amazing|brilliant|fantastic|clear|best|better|beautiful|awesome|wonderful|neat|smart|clever|"
        rf"quality|superb|outstanding|impressive|fine|kindest|buen[oa]?|gran|excelente|gute|tolle|super|klare|bonne|belle|excellente|boa|ótim[oa]|buon[oa]?|"
        rf"bel(?:la|lo)?|ottim[oa]|goede?|хороший|отличн\w+|dobra|świetn\w+|güzel) (?:\w+ )?{_WORK}",
        r"i (?:really |absolutely |totally |just |actually )?(?:love|like|adore|enjoyed?|loved|liked|learned|learnt|appreciate|understand (?:it )?now|get it now)|"
        r"(?:saved|made) (?:me|my|us|our)|you (?:rock|rule|nailed|are (?:the best|amazing|great|a \w+)|got it)|hats off|well (?:put|said|done)|"
        r"wouldn'?t change|don'?t change|couldn'?t (?:ask|be|have)|better than (?:my|the|any|i|expected|every)|nothing to (?:add|change|complain)|full marks|"
        r"game[- ]?changer|life[- ]?saver|godsend|hit the nail|killed it|pure gold|like a charm|thank you enough|exceeded|above and beyond|huge help|big help|"
        r"what a (?:relief|treat|find|gem|great|good|nice|lovely|clever|beautiful|wonderful)|kudos|props to|mind[- ]?blown|so true|agree more|worth it|"
        r"a\+|10/10|5/5|five stars|100 points|no notes|goosebumps|speechless|blown away|impressed|sehr (?:hilfreich|gut|klar)|très (?:utile|clair|bien)|"
        r"muy (?:útil|claro|bien)|muito (?:útil|claro|bom)|molto (?:utile|chiaro)|heel (?:duidelijk|nuttig|goed)|очень (?:полезно|понятно|помог\w+)|"
        r"bardzo (?:pomocn\w+|jasn\w+|przydatn\w+)|çok (?:faydalı|yararlı|yardımcı|açık)",
        apart=r"很有(?:用|帮助)|很清楚|讲得|写得|とても(?:役|助|分か|わか|参考)|参考になり|勉強になり|도움(?:이)? (?:많이 )?(?:됐|되었|되)|مفيد جدا|واضح جدا|बहुत (?:उपयोगी|मददगार|काम)",
    ),
    "judges_ill": _any(
        rf"(?:bad|awful|terrible|horrible|poor|wrong|useless|dumb|stupid|lazy|sloppy|weak|worst|vague|generic|boring|ugly|lousy|shoddy|weird|strange|incomplete|"
        rf"outdated|another|same|such a|mala|mal|schlechte|falsche|mauvaise?|péssim[oa]|pessim[oa]|slechte?|плох\w+|zła|kötü) (?:\w+ )?{_WORK}",
        r"(?:badly|poorly|sloppily) \w+|too (?:long|short|formal|complicated|technical|vague|generic|much|many|simple|expensive|slow|salty|late|small|big|dry|"
        r"casual|wordy|salesy|dark)|i (?:really |just )?(?:don'?t|do not|didn'?t|can'?t) (?:like|get|understand|follow|believe|agree|want|use|think so|see (?:how|why|the point))|"
        r"i (?:hate|doubt|disagree|give up|gave up|expected|was hoping|had hoped|hoped)|i'?m (?:confused|lost|disappointed|not (?:happy|convinced|impressed|sure)|"
        r"(?:more|still|even more) confused|losing|tired|done)|(?:stop|quit) \w+ing|don'?t (?:make|guess|lie|invent)|do better|try harder|"
        r"you (?:should(?: have|'ve)|could have|clearly|obviously|completely|totally|still|again|always|keep)|you'?re (?:making|wrong|not|contradicting|repeating|lying|"
        r"guessing|hallucinating)|(?:getting|going|leads?|got) (?:us |me )?(?:nowhere|in circles)|missed the point|no idea|forget it|never mind that|talk to a (?:human|person)|"
        r"a human|waste of|my patience|i already (?:said|told|gave|did|tried|mentioned|ruled)|over this|enough of|in a row|third time|"
        r"(?:missed|off|wide of) the mark|way off|far off|(?:fell|falls|falling) short|below par|all over the place|(?:make|made|makes|making) (?:no|zero|little) sense|"
        r"add up(?! to)|out of touch|tone[- ]deaf|wild goose|beside the point|no clue|for nothing|last straw|give me a break|yeah right|how hard can|"
        r"(?:can'?t|cannot) be (?:serious|right|true|it)|even (?:close|read|try|remotely)|at all|whatsoever|"
        r"zu (?:lang|kurz|kompliziert|teuer|allgemein)|trop (?:long|court|compliqué|cher|vague)|demasiado \w+|muito (?:longo|curto|caro)|troppo \w+|te (?:lang|kort|duur)|"
        r"слишком \w+|za (?:długi\w*|krótki\w*|drogi\w*)|çok (?:uzun|kısa|pahalı|karmaşık)|gefällt mir (?:gar |überhaupt )?nicht|ne (?:me |m')?(?:plaît|aide) pas|no me (?:gusta|sirve|ayuda|convence)|"
        r"não (?:gostei|ajuda|ajudou|serve)|non mi (?:piace|aiuta|convince)|не (?:нравится|помогает|понял\w*|то)|nie (?:podoba|pomaga|pomogło|o to)|beğenmedim|anlamadım",
        apart=r"太(?:长|短|贵|复杂|笼统|啰嗦)|不喜欢|没看懂|看不懂|长すぎ|長すぎ|短すぎ|難しすぎ|好みじゃ|わかりません|분かりません|너무 (?:길|짧|비싸|복잡|어려)|마음에 안|이해가 안|طويل جدا|لم يعجبني|لم أفهم|बहुत (?:लंबा|छोटा|महंगा)|पसंद नहीं|समझ नहीं",
    ),
    "praise": _any(
        r"great|perfect(?:ly)?|excellent|awesome|amazing|brilliant|fantastic|wonderful|superb|lovely|beautiful|nice|love(?:d)?|"
        r"helpful|impress\w+|nailed|spot on|well done|good (?:job|work|answer|catch|call|bot|stuff|one)|lifesaver|life saver|"
        r"genius|gold|clear(?:er)?|convincing|thorough|professional|solid|dope|sweet|gr8|10/10|100%|lgtm|looks good|"
        r"much better|useful|the best|exactly|just what|what i (?:needed|wanted|was looking for)|so good|very good|really good",
        r"perfecto|excelente|genial|muy bien|justo lo que|buen[oa]? (?:trabajo|respuesta)|estupendo|buenísimo",
        r"super|klasse|toll|prima|perfekt|genau (?:so|das|richtig)|wunderbar|ausgezeichnet|sehr (?:gut|hilfreich)|verständlich",
        r"parfait|génial|excellent|bravo|très (?:bien|clair|bon)|c'est exactement|nickel|super",
        r"perfeito|ótimo|ótima|excelente|muito bom|maravilh\w+|show|era isso",
        r"perfetto|ottimo|ottima|bravo|brava|bella|bello|eccellente|proprio quello",
        r"precies wat|uitstekend|geweldig|heel duidelijk|perfect|mooi",
        r"отлично|супер|прекрасно|идеально|именно то|замечательно|круто|понятно|молодец",
        r"świetn\w+|doskona\w+|dokładnie o to|super|bardzo (?:jasne|dobre|dobrze)|idealnie",
        r"harika|mükemmel|çok güzel|çok iyi|tam istediğim|süper|jättebra|perfekt|precis vad|skvěl\w+|výborn\w+",
        r"tuyệt vời|bagus(?: sekali)?|mantap|keren|bahut accha|ekdum sahi|badhiya|zabardast",
        apart=r"完美|太棒|太好了|很好|非常好|正是我|厉害|不错|完璧|素晴らし|最高|分かりやす|わかりやす|すごい|ممتاز|رائع|بالضبط|مثالي"
        r"|बढ़िया|बहुत अच्छ|शानदार|यही चाहिए|완벽|최고|훌륭|딱 제가|좋아요",
    ),
    "works": _any(
        r"works?|working|worked|fixed|solved|resolved|runs|passes|passed|sorted|builds|compiles|green|did the trick|problem gone|"
        r"merged|deployed|stable|tie out|without a hitch|back to|no more|finally",
        r"funciona|funcionó|ya quedó|solucionado|läuft|geklappt|funktioniert|passt|ça marche|plus d'erreur|résolu|deu certo|"
        r"resolvido|funcionou|adesso funziona|funziona|risolto|het werkt|opgelost|заработало|получилось|решено|работает|działa|"
        r"çalıştı|oldu|funkar|funguje|chạy được|sudah bisa|ho gaya",
        apart=r"可以了|解决了|好了|成功了|動きました|直りました|できました|解決しました|تم الحل|نجح|يعمل الآن|हो गया|잘 됩니다|됐어요|해결",
    ),
    "fails": _any(
        r"(?:does|do|did|is|are|was|wo|ca|could|would|has|have)(?:n'?t|n’t| not)\s+(?:\w+\s+)?(?:work|help|run|compile|match|exist|"
        r"make sense|handle|answer|solve|fix|there|here|change|do|open|load|get|understand|true|right|correct|it)\w*|"
        r"not working|not (?:what|the|even|true|right|correct|helpful|acceptable|it)|can'?t (?:find|see|open)|cannot (?:find|see|open)|"
        r"no such|broken|broke|crash\w*|segfault|traceback|\w*error|fail(?:s|ed|ing)?|empty|blank|missing|404|exception|timeout|"
        r"locked out|unknown|rejected|unchanged|nothing (?:happens|changed|has changed|works)|made it worse|doesnt w\w+",
        r"no (?:funciona|sirve|existe|es correcto|me (?:estás|está) entendiendo|está)|nao funcionou|não (?:funciona|funcionou|existe)|"
        r"dando erro|geht nicht|funktioniert nicht|nicht geholfen|klappt nicht|gibt es (?:\w+ )*(?:gar )?nicht|ne (?:marche|fonctionne) pas|"
        r"n'existe pas|non (?:funziona|va bene|è vero|esiste|c'entra)|werkt niet|klopt niet|не работает|не помогло|nie działa|nie ma|"
        r"çalışmıyor|değil|fungerar inte|stämmer inte|nefunguje|không (?:chạy|được)|bị lỗi|tidak bisa|masih error|kaam nahi",
        apart=r"不行|没用|不能用|不工作|报错|不存在|没解决|動かない|動きません|だめ|ダメ|エラー|存在しません|لا يعمل|غير موجود|الخطأ|काम नहीं|एरर|안 되|안돼|오류",
    ),
    "wrong": _any(
        r"wrong|incorrect|false|inaccurate|mistakes?|lie|lying|untrue|nonsense|garbage|useless|terrible|awful|horrible|bad|worst|"
        r"worse|poor|sucks?|boring|disappoint\w+|frustrat\w+|ridiculous|unacceptable|outdated|incomplete|vague|misunderst\w+|"
        r"hallucinat\w+|made up|making things up|mixed up|misspell\w+|typo|swapped|no good|off|waste|weak|fail|contradict\w*|"
        r"wtf|ugh|not helpful|unhelpful|too (?:long|short|formal|complicated|vague|generic|many|much|slow|dry)|deprecated|repealed",
        r"incorrect[oa]|mal|error|equivocad[oa]|falsch|stimmt nicht|quatsch|unsinn|schlecht|faux|fausse|nul|nulle|n'importe quoi|"
        r"errad[oa]|horrível|péssim[oa]|sbagliat[oa]|pessim[oa]|fout|waardeloos|niks aan|неверно|неправильно|ошибк\w+|бесполезн\w+|"
        r"ужасн\w+|źle|błąd|błędn\w+|nieprawda|beznadziejn\w+|yanlış|hata\w*|berbat|anlamadın|fel|värdelös\w*|špatně|není pravda|"
        r"sai(?: rồi)?|salah|galat",
        apart=r"不对|错了|错误|理解错|太差|糟糕|違い|違う|間違|最悪|答えていません|خطأ|سيئ|لم تفهم|गलत|खराब|समझा ही नहीं|틀렸|잘못|최악",
    ),
    "right": _any(
        r"(?<!not )(?<!n't )(?<!not quite )(?:right|correct|true|accurate)|agree|confirmed|approved|accepted|convinced|you'?re right",
        r"correcto|richtig|stimmt|juste|certo|giusto|klopt|верно|правильно|dobrze|doğru",
        apart=r"对的|正确|正しい|صحيح|सही|맞아",
    ),
    "not_good": _any(
        r"(?:not|n't|isnt|never|no|hardly|less than) (?:\w+ )?(?:good|great|helpful|useful|nice|clear|enough|convinc\w+|impress\w+|funny|smart|relevant|"
        r"usable|quite|happy|satisfied)|no (?:help|good|use|luck|change|difference|sense)|still nothing|nothing (?:changed|in there|works)|none of|"
        r"thanks for nothing|real(?:ly)? (?:helpful|original)\.|another answer|better off|waste|nada|nichts|keine änderung|rien|niente|niks|"
        r"ничего|nic|geen verschil",
        apart=r"没有变化|没变|変わりません|لم يتغير|बदला नहीं|그대로",
    ),
    "litotes": _any(
        r"not bad at all|no complaints|can'?t (?:fault|complain)|couldn'?t (?:be|have|agree)|never (?:seen|had|read)|nothing to add|could not be better|"
        r"better than i (?:expected|thought)|no issues?|no problems?|zero errors|0 errors|no more"
    ),
    "liking": _any(
        r"i (?:\w+ )?(?:like|love|enjoy)(?:d)?|happy with|satisfied with|pleased with|appreciate (?:how|that|your|the)|you(?:'re| are) (?:so |really |very |a |the )*"
        r"(?:good|great|best|genius|awesome|star|lifesaver|funny|right|amazing)|ur awesome|u r \w+|saved (?:me|my)|made my day|helped|helps|reads (?:very )?well|"
        r"well (?:put|said|written|done)|thanks to your|5 stars|top notch|a\+|me (?:sirvió|encantó|ayudó)|du bist|j'ai (?:enfin )?compris|sei un|gefällt mir",
        apart=r"喜欢|懂了|気に入|أعجبني|पसंद आया|마음에",
    ),
    "understood": _any(
        r"makes sense|got it|i (?:get|see) it|understood|i understand|clear now|that'?s clear|clicked|clears it up|answers my question|that'?s it|that'?s the one|"
        r"that was it|what i meant|til"
    ),
    "tried": _any(
        r"tried|gave it a go|did that|did (?:it|so)|i (?:ran|opened|followed|checked|applied|waited|installed)|after (?:your|that|the) change|just (?:ran|did)|"
        r"rolled back|when i (?:run|do|try|click)|probé|probado|ausprobiert|probiert|essayé|provato|geprobeerd|попробовал\w*|denedim|spróbował\w*",
        apart=r"试过|試し|やって|جربت|कोशिश|해봤",
    ),
    "refusal": re.compile(
        r"^\W*(?:no+|nope|nah|nein|non|nee|não|nao|нет|nie|hayır|nej|ne|không|tidak|नहीं|nahi|lol no|not (?:the|a|quite)|wrong|negative"
        r")(?!\w)(?!\s+(?:more|longer|problem|worries|need|idea|way|thanks|thank|grazie|danke|merci|gracias))"
        r"|^\W*(?:不|不是|不对|いや|いいえ|لا|아니)",
        re.IGNORECASE,
    ),
    "assent": re.compile(
        r"^\W*(?:yes+|yep|yeah|yup|correct|right|exactly|indeed|true|agreed|sí|si|ja|oui|sim|да|tak|evet|haan|हाँ|对|是的|はい|نعم|네)(?!\w)",
        re.IGNORECASE,
    ),
    "asked": _any(
        r"i (?:\w+ )?(?:asked|said|told|wanted|meant|mentioned|requested|specified|wrote|gave|listed|already|never|expected|was talking|"
        r"was asking)|i'?m (?:not )?asking|as i (?:said|already)|i'?ve (?:already|told|said)|let me repeat|read my|is supposed to|supposed to be|"
        r"should (?:be|have)|told you",
        r"te pedí|le pedí|pedí|ya te|había pedido|ich (?:hatte|habe|wollte|meinte)|j'avais demandé|j'ai demandé|je voulais|eu pedi|"
        r"pedi|avevo chiesto|ho chiesto|ik vroeg|ik had|я (?:просил|просила|же)|prosił\w+|istemiştim|jag bad|maine \w+ maanga",
        apart=r"我要的是|我说的是|我问的|お願いした|言いました|と言った|طلبت|माँगा था|मैंने|달라고 했",
    ),
    "again": _any(
        r"still|again|same|once more|already|keeps?|keep|yet|third time|twice|unchanged|back to square",
        r"sigue|mismo|otra vez|todavía|immer noch|schon wieder|gleiche|toujours|encore|même|déjà|continua|mesm[oa]|ainda|ancora|stesso|"
        r"nog steeds|dezelfde|всё равно|всё ещё|та же|тот же|опять|снова|nadal|wciąż|ten sam|hâlâ|aynı|fortfarande|samma|pořád|stejn\w+|"
        r"vẫn|như cũ|masih|wahi|abhi bhi|phir",
        apart=r"还是|同样|一模一样|又|まだ|同じ|さっきと|ما زال|نفس|अभी भी|वही|여전히|같은|아직",
    ),
    "you_did": _any(
        r"you (?:\w+ )?(?:forgot|missed|left|skipped|ignored|changed|removed|deleted|used|said|gave|put|wrote|sorted|broke|misunderstood|"
        r"didn'?t|did not|don'?t|never|keep|completely|have the|just|mixed|swapped|turned|booked|created|got|addressed|answered|claim\w*|"
        r"quoted|cited?|told|are not|aren'?t|mean|even|repeated|are citing|lost)|you'?re (?:not|going|using|wrong|useless)|you'?ve \w+|"
        r"your (?:\w+ )?(?:answer|code|query|regex|advice|summary|fix|formula|suggestion|explanation|response|list|plan|script|version|change|"
        r"diagram|grammar|responses)|did you even|u didnt",
        r"me has|has (?:dejado|puesto)|du hast|sie haben|vous (?:m'avez|avez)|tu as|você|hai (?:lasciato|scritto|fatto)|je hebt|ты|вы",
        apart=r"你(?:给|写|理解|没|又)|您(?:给|写)|आपने|तुमने",
    ),
    "contrast": _any(
        r"not \S+|instead of|rather than|isn'?t|aren'?t|other way round|opposite|no \w+ called|sino|nicht|pas|não|non|niet|а не|вместо|nie|değil",
        apart=r"不是|ではなく|وليس|नहीं",
    ),
    "points_at": re.compile(
        r"^\W*(?:that|this|it|these|those|the|your|none of|nothing|everything|both|half|where|eso|esto|das|dies|c'est|ça|cette|isso|esse|"
        r"questo|dat|die|это|to|bu|det)(?:['’]s|['’]re)?(?!\w)",
        re.IGNORECASE,
    ),
    "but": _any(
        r"but|however|though|although|only|except|just|too bad|pero|aunque|aber|nur|mais|mas|porém|ma|però|maar|но|только|ale|ama|men|"
        r"lekin|nhưng|tapi|dommage",
        apart=r"但|就是|不过|けど|でも|が、|لكن|लेकिन|는데|지만",
    ),
    "lukewarm": _any(
        r"meh|so-so|ok-ish|okay-ish|not bad|decent|fine|it'?s (?:ok|okay|alright|fine)|alright|acceptable|average|mixed|i guess|could be|"
        r"partially|partly|almost|nearly|mostly|half right|closer|better|most of|in parts|usable|will do|does the job|some of|sometimes|"
        r"on the fence|80%|not great|mwah|bof|pas mal|ganz okay|geht so|más o menos|está bien|mais ou menos|va bene|carino|best goed|"
        r"сойдёт|неплохо|нормально|całkiem|fena değil|helt ok|bit of",
        apart=r"还行|一般|还可以|まあまあ|悪くない|ठीक है|괜찮",
    ),
    "thanks": _any(
        r"thanks?|thank you|thx|thankyou|ty|tysm|cheers|appreciate|grateful|gracias|danke|dank|merci|obrigad[oa]|valeu|grazie|bedankt|спасибо|"
        r"dzięki|dziękuję|teşekkürler|tack|díky|cảm ơn|terima kasih|makasih|dhanyavad|shukriya",
        apart=r"谢谢|感谢|ありがとう|شكرا|धन्यवाद|감사|고마",
    ),
    "thanks_much": _any(
        r"thanks? (?:you )?(?:so|very) much|thanks a (?:lot|million|ton|bunch)|thank you!!+|muchas gracias|vielen dank|merci beaucoup|"
        r"muito obrigad[oa]|grazie mille|hartelijk dank|спасибо большое|большое спасибо|tysm",
        apart=r"非常感谢|ありがとうございま|شكرا جزيلا",
    ),
    "in_advance": _any(
        r"in advance|de antemano|im voraus|d'avance|desde já|in anticipo|alvast|заранее|z góry|por favor|please|pls|kindly|bitte|"
        r"s'il (?:te|vous) plaît|per favore|alsjeblieft|пожалуйста|proszę|lütfen",
        apart=r"麻烦|请|お願いし|ください|أرجو|कृपया|주세요",
    ),
    "next": _any(
        r"now|next|also|one more|another|and (?:what|how|now|for)|what about|how about|then|move on|go ahead|let'?s|ahora|jetzt|maintenant|"
        r"agora|adesso|nu|теперь|а теперь|teraz|şimdi|und|et pour|e per|a co",
        apart=r"现在|那|下一步|じゃあ|次|الآن|وماذا|अब|그럼",
    ),
    "request": re.compile(
        r"^\W*(?:(?:ok|okay|great|good|nice|cool|perfect|thanks|thank you|thx|please|pls|hi|hey|hello|and|now|then|just|excellent)[\s,.!]+)*"
        r"(?:please |can you |could you |would you |will you |i need |i want |i'?d like |i would like |help me |let'?s |kindly )?"
        r"(?:write|make|add|create|generate|give|show|find|fix|explain|convert|translate|summari[sz]e|rewrite|rephrase|draft|compose|list|"
        r"sort|use|run|check|look|review|compare|plot|build|remove|delete|rename|turn|set|book|cancel|reschedule|tell|send|continue|go on|"
        r"try|do|keep|skip|undo|simplify|shorten|expand|extract|classify|proofread|improve|refactor|restart|deploy|open|put|change|move|"
        r"switch|mention|include|handle|format|group|score|prepare|suggest|recommend|plan|calculate|count|verify|double-check|remind|grep|"
        r"haz|escribe|traduce|schreib|mach|bitte|kannst|rédige|corrige|pouvez|faz|escreve|traduza|scrivi\w*|fallo|schrijf|vertaal|напиши|"
        r"переведи|сделай|проверьте|napisz|przetłumacz|yaz|çevir|skriv|översätt|napiš|viết|buatkan)(?!\w)"
        r"|^(?:帮我|把|再|请)|(?:して|ください|訳して|作って|써 주세요|해 주세요|번역해 줘|لي|करो|दो)[。.!]?$",
        re.IGNORECASE,
    ),
    "question": re.compile(
        r"[?？؟]\W*$|^\W*(?:(?:and|so|but|ok|okay|hm+|wait)[\s,.]+)*(?:what|why|how|when|where|which|who|whose|is|are|does|do|did|can|could|would|"
        r"should|has|have|will|any)(?!\w)",
        re.IGNORECASE,
    ),
    "challenge": re.compile(
        r"^\W*(?:(?:and|so|but|then|wait|ok|okay|um|er|hm+|hang on|sorry|excuse me|well|seriously|now)[\s,.…-]+)*(?:"
        r"why (?:is|are|did|does|do|would|was|were|has|have|in|on|the|am|can|should|isn't|aren't|doesn't|don't|didn't)|"
        r"where(?:'s|s| is| are| did| does| has| was)|what(?:'s| is| happened to| about the| am i supposed| kind of| on earth| the hell)|"
        r"since when|how (?:is|does|would|come|exactly|can|could|did|on earth|am i supposed)|"
        r"(?:do|did|have|are|can|could|were|is|was|should) (?:you|u) (?:even|actually|really|read|look|sure|kidding|serious|joking|reali[sz]e|"
        r"remember|understand|know|listen|forget|check|test|try|see|at least|not|just|make|making|trying|blind)|"
        r"(?:is|was|are) (?:this|that|these|it) (?:a joke|all|it|supposed|really|meant|the best|some)|who (?:asked|told|said|is|are)|"
        r"(?:isn't|aren't|wasn't|doesn't|didn't|don't|shouldn't|haven't|can't|won't) |didnt |"
        r"warum|wieso|wo (?:ist|sind|bleib)|hast du|haben sie|pourquoi|où (?:est|sont)|as-tu|avez-vous|tu as|vous avez|por qué|dónde|"
        r"has (?:leído|mirado)|por que|cadê|onde|você (?:leu|viu)|perché|dov'è|dove|hai (?:letto|visto)|waarom|waar (?:is|zijn)|heb je|"
        r"почему|где|зачем|ты (?:вообще|читал)|вы (?:вообще|читали)|dlaczego|czemu|gdzie|czy ty|neden|niye|nerede|hani)(?!\w)"
        r"|^(?:为什么|怎么|哪里|你(?:看|读|有没有|确定)|なぜ|どうして|なんで|どこ|왜|어디|لماذا|أين|هل قرأت|क्यों|कहाँ)",
        re.IGNORECASE,
    ),
    "good_outcome": _any(
        r"(?:is|are|am|it's|we're|i'm|she's|he's|they're|everything's|all|that's) (?:back|live|up|online|in|green|through|gone|running|"
        r"visible|readable|stable|quiet|clean|fixed|connected|sorted|done|fine|good|healthy|there)(?: (?:again|now|at last|and running))?|"
        r"(?:opens?|loads?|plays?|prints?|starts?|boots?|connects?|syncs?|shows? up|goes|went|came|comes|sleeps?|slept|lasts?|responds?|"
        r"charges?|rings?|fits?|holds?|runs?|compiles?|renders?|sends?|scans?|turns? on|lights? up|heats?) (?:\w+ )?"
        r"(?:now|again|fine|well|perfectly|at last|this time|without|through|out|properly|nicely|smoothly|correctly|like)|"
        r"(?:errors?|warnings?|leaks?|pain|bugs?|noise|messages?|symptoms?|rash|fever|smell|lag|flicker\w*|stain) "
        r"(?:is|are|has|have|went|disappeared|vanished|stopped|came out|cleared)(?: \w+)?|"
        r"no (?:more |longer )?(?:\w+ )?(?:anymore|any more|left|since|so far)|got (?:in|through|the (?:job|refund|offer|visa|loan|money|flat|part))|"
        r"(?:they|he|she|it|client|bank|landlord|boss|insurer?|insurance|teacher|judge|office) (?:\w+ )?(?:accepted|approved|agreed|signed|paid|said yes|"
        r"refunded|loved|granted|replied)|we won|down (?:from|to)|from \d+\S* \w* ?to \d+|as (?:you|u) (?:said|suggested|described|told|wrote|explained)|"
        r"thanks to (?:you|your|this|that)|with your|used your|your \w+ (?:did|saved|worked|helped|fixed|got|made|convinced)|first (?:try|time|attempt|go)|"
        r"went (?:well|fine|great|smoothly|through|live)|got me (?:in|there|through|unstuck)|unblocked|all (?:good|clear|set|there|passing|pass)|"
        r"adds up|ties? out|matches|full marks|zero (?:errors|complaints|issues|warnings)|on time|"
        r"(?:can|could|able to) (?:\w+ ){1,4}(?:again|now)|managed to|got (?:an? )?(?:a|b)[+-]?(?!\w)|after all|since then|ever since|"
        r"geht (?:jetzt|wieder)|jetzt geht(?:'s)?|wieder da|auf anhieb|hat geholfen|ça y est|ça marche|de nouveau|du premier coup|"
        r"ya (?:abre|funciona|puedo|se|me|está|carga|entra)|ahora sí|a la primera|agora (?:sim|foi|vai|abriu|deu)|de primeira|ora (?:va|si|funziona)|"
        r"adesso (?:va|si)|ce l'ho fatta|doet het(?: weer)?|weer (?:goed|aan)|in één keer|с первого раза|теперь (?:всё|все|открыва\w+|работа\w+)|"
        r"снова работает|od razu|już (?:działa|jest|się)|za pierwszym razem|artık (?:çalışıyor|oluyor)|açıldı|düzeldi|geldi",
        apart=r"能.{0,6}了|可以.{0,4}了|恢复了|正常了|通过了|搞定|ようになりました|出ました|届きました|通りました|戻りました|しました[!！。]?$"
        r"|돼요|됐|열려요|나와요|돌아왔|عاد|يفتح|وصل|चल रहा|खुल गया|मिल गया|आ गया",
    ),
    "bad_outcome": _any(
        r"(?:and )?now (?:it|the|i|my|there|everything|all|nothing|every|we|both|half)(?:'s|'m)?|(?:keeps?|kept) \w+ing|won'?t (?:even )?\w+|"
        r"i (?:get|got|see|end up|ended up|only (?:see|get|have)|lost|had to|have to)|there(?:'s| is| are) (?:no|nothing|only|still|a \w+ missing)|"
        r"(?:went|goes|gone) (?:up|wrong|down|black|blank|dead|missing)|(?:it|screen|page|console|log|terminal|app|site|he|she|they|phone|box|bank|office) "
        r"(?:just )?(?:says?|shows?|gives?|returns?|prints?|throws?|displays?|told me|told us)|only (?:shows?|has|gives?|covers?|handles?|works?|lists?|the first|one|two|half)|"
        r"(?:doesn't|didn't|don't|isn't|aren't|wasn't|can't|couldn't|hasn't|haven't|doesnt|didnt|dont|isnt|cant) \w+|"
        r"twice|upside down|backwards|in the wrong|cut off|half of (?:it|them|those|the)|all (?:zeros?|null|red|gone|empty|blank|the same)|"
        r"(?:were|was|is|are) (?:not|never|closed|repealed|cancelled|discontinued|removed|retired|sold out|in \w+ish)|nowhere|no (?:such|tab|button|option|menu|sign|trace|idea|"
        r"change|effect|difference|luck)|years ago|does(?:n't| not) (?:exist|apply)|too (?:\w+)|way too|more than|less than|"
        r"jetzt (?:ist|geht|kommt|habe|sind)|kommt (?:immer )?noch|gibt's nicht|maintenant (?:c'est|l'|le|la|j'ai|plus|il)|il n'y a (?:pas|plus|rien)|"
        r"ahora (?:no|me|está|sale)|no (?:me )?(?:aparece|sale|deja|hay|carga|abre)|agora (?:não|nao|está|deu erro)|não (?:tem|aparece|abre|está|dá)|"
        r"adesso (?:non|è)|non (?:c'è|trovo|si|vedo|appare)|nu (?:is|kan|doet)|doet het niet|er is geen|теперь (?:не|ничего)|не (?:вижу|нашёл|нашел|"
        r"открывается|могу|хватает|появля\w+)|teraz (?:nie|mam)|nie (?:widzę|mogę|ma|otwiera|pojawia)|şimdi (?:de)?|bulamadım|görünmüyor|gelmiyor|açılmıyor",
        apart=r"还是|仍然|没有.{0,8}$|打不开|找不到|不显示|それでも|ありません|ないです|見つかりません|表示されません|없는데|없어요|안 나와|안 보여|لا أجد|لا يوجد|لا يظهر|नहीं मिल|नहीं दिख|नहीं है",
    ),
    "others": _any(
        rf"(?:my|our|the|his|her|their|your)(?: \w+)? {_THEM}(?:'s)?",
        r"(?:he|she|they|people|nobody|everyone|someone) (?:\w+ )?(?:said|says|say|thinks?|hated?|loved?|likes?|complain\w*|texted|wrote|are|is|was|were|got)",
        r"mi (?:jefe|jefa|mujer)|mein(?:e)? (?:chef|chefin|frau|mann|vermieter)|unsere kunden|mon patron|ma (?:femme|chef)|minha chefe|"
        r"meu chefe|il mio capo|mijn baas|начальник\w*|szef\w*|patronum|le client|un cliente|il cliente",
        apart=r"老板|客户|上司|お客様|مديري|बॉस|상사",
    ),
    "self": _any(
        r"my (?:bad|fault|mistake|own)|i (?:made a mistake|messed up|was wrong|forgot|misread|failed|wasted|hate|love)|sorry|oops|i'?m (?:so |not |terrible|"
        r"happy|sad|bad)|i feel|i am (?:terrible|bad|happy|sad)|scratch that|perdón|me equivoqué|entschuldigung|désolé|scusa",
    ),
    "foreign_task": _any(
        r"translate|translation|proofread|classify|sentiment|summari[sz]e|reply to|respond to|draft|compose|write (?:a|an|me)|reviews?|"
        r"complaint|letter|email|poem|slogan|how do (?:i|you) say|polite|tone|quote|sentence|traduce|übersetz\w*|reseña|lettre|carta|brief|"
        r"vertaal|переведи|отзыв|przetłumacz|çevir|översätt",
        apart=r"翻译|差评|回复|訳して|返信|ترجم|अनुवाद|번역",
    ),
    "good_emoji": re.compile(
        "[👍👏🙌🎉🔥😍🥰😊🙂😀😁😄❤💯✅🚀👌🤩🙏💪⭐😎]|(?<!\\w)(?::\\)|:-\\)|:D|<3|\\^\\^)(?!\\w)"
    ),
    "bad_emoji": re.compile(
        "[👎😡🤬😠😤🙄😒😞😕😢😭🤦💀❌😑😐🤨🤡😩😫💩]|(?<!\\w)(?::\\(|:-\\(|:/|>:\\()(?!\\w)"
    ),
}
NAMES = tuple(CUES)


def found_in(sentence: str) -> tuple[bool, ...]:
    """Which cues the sentence has, in the order of `NAMES`."""
    text = sentence.replace("’", "'")
    return tuple(cue.search(text) is not None for cue in CUES.values())
