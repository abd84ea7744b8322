/**
 * The words that most common passwords are made of, in small letters: alone, or with digits and
 * signs before and after. Chosen by hand, from what lists of broken passwords have in common.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
  password passwort passwd passphrase motdepasse contrasena parola pass passme mypassword
  passwordpassword letmein letmeinnow opensesame changeme changeit changethis default secret
  secrets topsecret supersecret access login logon logmein signin user username admin
  administrator root superuser sysadmin manager master owner test tester testing testtest demo
  temp temporary sample example welcome welcomeback hello hellohello helloworld hi bonjour hallo
  trustno iloveyou iloveu ilovegod iloveme iloveyouso loveyou lovely love lover loveme mylove
  sweetheart darling honey babygirl babyboy baby angel princess prince queen king sunshine
  moonlight moonshine star starlight rainbow flower flowers butterfly summer winter spring autumn
  january february march april may june july august september october november december monday
  tuesday wednesday thursday friday saturday sunday birthday christmas monkey dragon tiger lion
  eagle falcon phoenix wolf bear panda kitten kitty cat dog doggy puppy horse bunny rabbit
  dolphin shark spider snake elephant turtle chicken cookie cookies chocolate banana apple orange
  cherry peaches strawberry pepper ginger coffee pizza cheese bacon butter sugar candy
  football soccer baseball basketball hockey tennis golf golfer swimming skateboard snowboard
  liverpool chelsea arsenal barcelona juventus realmadrid manchester united lakers yankees
  cowboys steelers packers superman batman spiderman ironman wonderwoman pokemon pikachu naruto
  starwars skywalker matrix gandalf hobbit harrypotter hogwarts minecraft fortnite roblox zelda
  mario nintendo playstation xbox warcraft diablo counterstrike gamer player winner champion
  legend hero killer hunter hacker ninja samurai warrior soldier ranger sniper pirate wizard
  shadow ghost devil demon satan heaven jesus jesuschrist christ god godisgood bible faith hope
  blessed freedom liberty america american canada england london paris berlin france germany
  india mexico russia spain italy brazil texas california newyork chicago boston
  mercedes ferrari porsche mustang corvette camaro harley yamaha honda toyota nissan bmw audi
  computer internet google facebook twitter instagram linkedin youtube samsung android iphone
  microsoft windows linux ubuntu amazon netflix hotmail gmail yahoo adobe photoshop
  bitcoin ethereum crypto blockchain wallet money dollar cash rich million millionaire business
  agent agents market marketplace agentmarketplace buyer seller trader shop
  qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc qweasd
  qweasdzxc qweqwe asdasd zxczxc poiuytrewq lkjhgfdsa mnbvcxz abc abcd abcde abcdef abcabc aaa
  michael michelle jessica jennifer jordan jordans ashley amanda andrew anthony alexander
  alexandra alex anna barbara benjamin brandon brian carlos charles charlie chris christian
  christopher claudia daniel daniela david diana edward elizabeth emily emma eric fernando
  francis frank gabriel george hannah heather jackson jacob jackie james jason jasmine jeremy
  jesse john johnny jonathan joseph joshua julia justin karen katherine kevin kimberly laura
  lauren linda lisa louise lucas madison marcus maria marie marina mark martin matthew maggie
  melissa monica morgan natalie natasha nathan nicholas nicole oliver olivia patrick paul peter
  phoenix rachel rebecca richard robert ronald ryan samantha samuel sandra sarah scott sophie
  stephanie stephen steven taylor theresa thomas tiffany tigger timothy tyler vanessa veronica
  victor victoria vincent william zachary
  purple yellow orange silver golden black white blue green red pink
  whatever nothing everything something anything forever never always trust truth peace happy
  happiness smile lucky luck dream dreamer magic power energy music guitar metallica nirvana
  beatles eminem slipknot rock rockyou rocknroll
  internet server database oracle cisco system network computer security
  onetwothree onetwothreefour zaqxsw qwaszx asdqwe
  fuckyou fuckoff fuckme bitch asshole pussy sexy sexygirl hottie
  buster bailey rocky maverick scooter thunder lightning storm diamond crystal merlin
  yankee cowboy gateway mother father family sister brother friend friends bestfriend daddy mommy
  `
    .trim()
    .split(/\s+/),
);

/** Passwords of letters and digits in an order of keys, which no word is behind. */
export const COMMON_KEYS: ReadonlySet<string> = new Set(
  `
  1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1zaq1
  qazwsx123 1qazxsw2 2wsx3edc q1w2e3r4t5y6 1a2b3c4d a1b2c3d4 a1s2d3f4 123qweasd 123qwe123
  qwe123qwe 1qaz1qaz 1234qwer 12qwaszx 147258369 159357456 741852963 789456123 963852741
  123123123 123321123 12344321 11223344 1122334455 00112233 12131415 10203040 13579246 24681012
  `
    .trim()
    .split(/\s+/),
);
