/* text_language: written for this test, as people write in a channel. */

#include "ext/text.h"
#include "tap.h"

static const struct {
	const char *name, *want, *text;
} samples[] = {
    {"English", "en",
	"has anyone tried the new release yet? i updated this morning and now "
	"the bot doesn't start anymore, it just says that the token is wrong. "
	"yeah same here, you have to put it in the other file now, they moved "
	"it. oh thanks, where did you read about that?"},
    {"English of few words", "en",
	"lol no. why would you do that? just restart the server and wait for "
	"it, then ping me if it is still down. ok will do. it was the disk"},
    {"Portuguese", "pt",
	"alguém já conseguiu instalar a versão nova? eu tentei ontem mas não "
	"funcionou, o servidor fica reiniciando sem parar. tem que apagar a "
	"pasta de configuração antes, senão ele usa os dados antigos. você "
	"tentou isso? ainda não, vou fazer agora e te falo"},
    {"Portuguese without accents", "pt",
	"gente, alguem sabe se o jogo vai ser hoje? acho que nao, foi adiado "
	"para a semana que vem por causa da chuva. puxa, eu ja tinha comprado "
	"os ingressos. mas eles valem para o outro dia tambem, pode ficar "
	"tranquilo. vc vem com a gente? se der eu vou sim"},
    {"Spanish", "es",
	"¿alguien sabe por qué no me deja entrar al servidor? me dice que la "
	"clave no es válida, pero es la misma de siempre. a mí también me "
	"pasó, tienes que pedir otra en la página. ya lo hice y todavía no "
	"llega el correo. espera un poco más, a veces se tarda"},
    {"French", "fr",
	"est-ce que quelqu'un a déjà essayé la nouvelle version ? chez moi ça "
	"ne marche pas du tout, le programme se ferme dès que je l'ouvre. tu "
	"as bien supprimé les anciens fichiers avant ? non, je ne savais pas "
	"qu'il fallait le faire. c'est dans la documentation, je crois"},
    {"German", "de",
	"hat das schon jemand mit der neuen Version probiert? Bei mir geht es "
	"nicht, das Fenster bleibt einfach schwarz. Du musst vorher den alten "
	"Ordner löschen, dann läuft es wieder. Ach so, das habe ich nicht "
	"gewusst. Ich mache es heute Abend und sage dir, ob es klappt"},
    {"Italian", "it",
	"qualcuno ha già provato la nuova versione? da me non parte, si "
	"chiude subito e non dice niente. devi cancellare la cartella vecchia "
	"prima di installare, altrimenti legge i dati di prima. ah, questo "
	"non lo sapevo. provo stasera e poi ti dico come è andata"},
    {"Dutch", "nl",
	"heeft iemand de nieuwe versie al geprobeerd? bij mij werkt het niet, "
	"het scherm blijft gewoon zwart. je moet eerst de oude map weggooien, "
	"dan doet hij het weer. dat wist ik niet, ik ga het vanavond proberen "
	"en dan laat ik je weten of het is gelukt"},
    {"Russian", "ru",
	"кто-нибудь уже пробовал новую версию? у меня она не запускается, "
	"окно сразу закрывается и ничего не пишет. надо сначала удалить "
	"старую папку, а потом ставить. я этого не знал, попробую вечером и "
	"напишу, что получилось"},
    {"Japanese", "ja",
	"新しいバージョンを試した人はいますか？私のところでは起動しません。"
	"古いフォルダを消してから入れ直すと動きますよ。"},
    {"Chinese", "zh",
	"有人试过新版本吗？我这里打不开，一直是黑屏。先把旧文件夹删掉再安装，"
	"然后就可以用了。谢谢，我晚上试试看。"},
    {"Korean", "ko",
	"새 버전 써 본 사람 있나요? 저는 실행이 안 돼요. 먼저 예전 폴더를 지우고 "
	"다시 설치하면 됩니다. 고마워요, 저녁에 해 볼게요."},
    {"Thai", "th",
	"มีใครลองเวอร์ชันใหม่หรือยัง ของผมเปิดไม่ได้เลย ต้องลบโฟลเดอร์เก่าก่อน "
	"แล้วค่อยติดตั้งใหม่ ขอบคุณครับ"},
    {"nothing", "", ""},
    {"one short message", "", "the cat sat on the mat"},
    {"names and numbers", "",
	"ada 12 bob 13 carol 99 dave 100 erin 7 frank 8 grace 9 heidi 10 ivan "
	"11 judy 12 mallory 13 niaj 14 olivia 15 peggy 16 rupert 17"},
    {"program text", "",
	"int main(void) { struct node *head = NULL; while (head) { free(head); "
	"head = head->next; } return EXIT_SUCCESS; } #define MAX 100 static "
	"const char name[] = \"x\"; size_t len = strlen(name); printf(\"%s\");"},
    {"half English, half Portuguese", "",
	"has anyone tried the new release yet? i updated this morning and now "
	"the bot doesn't start anymore, it just says the token is wrong. "
	"alguém já conseguiu instalar a versão nova? eu tentei ontem mas não "
	"funcionou, o servidor fica reiniciando sem parar, e você já viu isso"},
    {"Ukrainian, which is not Russian", "",
	"хто-небудь вже пробував нову версію? у мене вона не запускається, "
	"вікно відразу закривається і нічого не пише. треба спочатку видалити "
	"стару теку, а потім ставити. я цього не знав, спробую ввечері"},
    {"Bulgarian, which is not Russian", "",
	"някой пробвал ли е новата версия? при мен не тръгва, прозорецът се "
	"затваря веднага и нищо не пише. трябва първо да изтриеш старата "
	"папка, после става. не знаех това, ще пробвам довечера и ще пиша"},
    {"Polish, which has no stemmer", "",
	"czy ktoś już próbował nowej wersji? u mnie nie działa, okno od razu "
	"się zamyka i nic nie pisze. trzeba najpierw usunąć stary katalog, a "
	"potem instalować. nie wiedziałem o tym, spróbuję dziś wieczorem i "
	"napiszę, co z tego wyszło"},
    {"Swedish, which has no stemmer", "",
	"har någon provat den nya versionen än? hos mig startar den inte, "
	"fönstret stängs direkt. du måste ta bort den gamla mappen först, "
	"sedan fungerar det igen. det visste jag inte, jag provar i kväll och "
	"berättar hur det gick"},
    {"Turkish, which has no stemmer", "",
	"yeni sürümü deneyen oldu mu? bende açılmıyor, pencere hemen "
	"kapanıyor. önce eski klasörü silmen gerekiyor, sonra tekrar kur. "
	"bunu bilmiyordum, akşam deneyip sana yazarım, bakalım bu sefer "
	"çalışacak mı"},
};

int
main(void)
{
	struct text *t = text_open();
	struct err e = {0};
	const char *lang;
	size_t i;

	for (i = 0; i < sizeof samples / sizeof *samples; i++) {
		lang = NULL;
		ok(text_language(t, samples[i].text, strlen(samples[i].text),
		       &lang, &e) == 0,
		    "a guess is always possible");
		same(lang, samples[i].want, samples[i].name);
	}
	text_close(t);
	return tap_done();
}
