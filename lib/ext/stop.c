#include "ext/stop.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

#define ROOM 4096 /* slots; a power of 2, four times the words or so */

struct stop_word {
	const char *word; /* in one of the lists; NULL if the slot is free */
	unsigned char len;
	unsigned short langs;
};

static const char *const lists[LANG_COUNT + 1] = {
    [LANG_EN] =
	"a about above after again all also am an and any are arent as at be "
	"because been before being below between both but by can cant could "
	"couldnt did didnt do does doesnt doing dont down during each ever "
	"few for from further get gets getting got had hadnt has hasnt have "
	"havent having he her here hers herself him himself his how i if im "
	"in into is isnt it its itself ive just let me more most much my "
	"myself no nor not of off on once only or other our ours out over own "
	"please same she should shouldnt so some such than that thats the "
	"their theirs them themselves then there these they this those "
	"through to too u under until up upon us very was wasnt we were "
	"werent what whats when where which while who whom whose why will "
	"with wont would wouldnt you your yours yourself",
    [LANG_PT] =
	"a ao aos aquela aquele aqui as assim ate cada com como da das de "
	"dela dele deles depois do dos e ela elas ele eles em entao entre era "
	"essa esse esses esta estao estar estava este estes estou eu foi "
	"foram fosse ha isso isto ja la lhe mais mas me mesmo meu minha muito "
	"muita na nao nas nem no nos nossa nosso num numa o onde os ou para "
	"pela pelo pelos pois por porque pra pro quais qual quando que quem "
	"se sem ser sera seu seus so sou sua suas tambem tao te tem tenho ter "
	"teu tinha tu tua um uma uns vai vc voce voces vou",
    [LANG_ES] =
	"a al algo alguien ante antes aqui asi aunque cada como con cual "
	"cuando de del desde donde dos e el ella ellas ellos en entre era "
	"eres es esa ese eso esos esta estaba estan estar este esto estos "
	"estoy fue fueron ha hace han hasta hay he la las le les lo los mas "
	"me mi mis mucho muy nada ni no nos nosotros o os otra otro para pero "
	"por porque pues que quien se sea ser si sin sobre solo somos son soy "
	"su sus tambien tan te tengo tiene tienen todo todos tu tus un una "
	"uno unos usted ustedes va voy y ya yo",
    [LANG_FR] =
	"a ai alors apres as au aussi autre aux avant avec avez avoir avons "
	"bien c ca car ce cela ces cet cette chez comme comment d dans de des "
	"donc dont du elle elles en encore est et etaient etait ete etes etre "
	"eu faire fait faut il ils j je l la le les leur leurs lui m ma mais "
	"me meme mes moi mon n ne ni nos notre nous on ont ou par parce pas "
	"peu peut peux plus pour pourquoi qu quand que quel quelle qui quoi s "
	"sa sans se sera ses si son sont suis sur t ta te tes toi ton tous "
	"tout toute tres tu un une va vais vos votre vous y",
    [LANG_DE] =
	"aber alle als also am an auch auf aus bei bin bis bist da damit dann "
	"das dass dein dem den denn der des dich die dir doch dort du durch "
	"ein eine einem einen einer eines er es etwas euch fur gegen gibt "
	"habe haben hat hatte hier ich ihm ihn ihr im in ins ist ja jede jetzt "
	"kann kein keine keinen konnen machen man mein meine mich mir mit "
	"muss nach nicht nichts noch nur ob oder ohne schon sehr sein seine "
	"sich sie sind so soll uber um und uns unter vom von vor war waren "
	"warum was weil wenn wer werden wie wieder will wir wird wo wurde zu "
	"zum zur",
    [LANG_IT] =
	"a agli ai al alla alle allo anche ancora avere c che chi ci come con "
	"cosa cosi cui d da dagli dai dal dalla dalle degli dei del dell della "
	"delle dello di dove e ed era erano essere fare fatto gia gli ha hai "
	"hanno ho i il in io l la le lei li lo loro lui ma me mi mia mio molto "
	"ne negli nei nel nella nelle no noi non nostro o ogni per perche piu "
	"poi prima qua quale quali quando quello quella questa queste questi "
	"questo qui se sei senza si sia siamo siete solo sono sta stai stato "
	"sto su sua sugli sul sulla suo te ti tra tu tua tuo tutti tutto un "
	"una uno vi voi",
    [LANG_NL] =
	"aan al alles als altijd andere ben bij daar dan dat de der deze die "
	"dit doch doen door dus een eens en er ge geen geweest haar had heb "
	"hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je "
	"jij jou jouw jullie kan kon kunnen maar me meer men met mij mijn moet "
	"na naar niet niets nog nu of om omdat ons ook op over reeds te tegen "
	"toch toen tot u uit uw van veel voor waar waarom wanneer want waren "
	"was wat we wel werd wezen wie wij wil wordt worden ze zelf zich zij "
	"zijn zo zonder zou",
    [LANG_RU] =
	"а без более бы был была были было быть в вам вас весь во вот все "
	"всего всех вы где да даже для до его ее если есть еще же за здесь и "
	"из или им их к как какой когда кто ли либо мне может мы на надо наш "
	"не него нее нет ни них но ну о об однако он она они оно от очень по "
	"под после потом потому почему при про с сам себя сейчас со так такой "
	"также там тебя тем то того тоже той только том ты у уже хотя чего чем "
	"что чтобы чтоб эта эти это этого этой этот я меня тебе",
    [STOP_OTHER] =
	"は を に が と の で も へ や か ね よ な から まで より です ます だ た て "
	"し した する して いる ある ない この その あの これ それ あれ ここ そこ "
	"どこ 何 いつ 誰 どう ため こと もの "
	"的 了 是 在 和 也 就 都 而 及 与 着 吗 呢 吧 啊 这 那 这个 那个 什么 我 你 他 她 "
	"它 我们 你们 他们 "
	"이 그 저 것 수 은 는 가 을 를 의 에 와 과 도 로 에서 으로 하고 그리고 "
	"그런데 하지만 무엇 어디 언제 누구 왜 "
	"ที่ และ ใน ของ เป็น มี ได้ ให้ ว่า ไม่ จะ ก็ กับ แต่ หรือ จาก นี้ นั้น คือ อะไร "
	"ไหน เมื่อ ครับ ค่ะ คะ"};

static struct stop_word *
find(struct stop_word *table, const char *word, size_t len)
{
	uint32_t h = 2166136261U; /* FNV-1a */
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)word[i]) * 16777619U;
	for (i = h & (ROOM - 1); table[i].word; i = (i + 1) & (ROOM - 1))
		if (table[i].len == len && !memcmp(table[i].word, word, len))
			break;
	return &table[i];
}

static void
build(struct stop *s)
{
	struct stop_word *w;
	const char *p, *end;
	unsigned lang;

	s->table = mem_array(ROOM, sizeof *s->table);
	for (lang = 0; lang <= STOP_OTHER; lang++)
		for (p = lists[lang]; *p; p = *end ? end + 1 : end) {
			end = p + strcspn(p, " ");
			w = find(s->table, p, (size_t)(end - p));
			w->word = p;
			w->len = (unsigned char)(end - p);
			w->langs = (unsigned short)(w->langs | 1U << lang);
		}
}

unsigned
stop_langs(struct stop *s, const char *word, size_t len)
{
	if (!s->table)
		build(s);
	return find(s->table, word, len)->langs;
}

void
stop_release(struct stop *s)
{
	free(s->table);
	s->table = NULL;
}
