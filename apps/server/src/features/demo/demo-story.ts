/**
 * What happens between the demo's members and the company in its thirty days: conversations, withdrawals, deposits that went astray,
 * decisions of operators. Plain data, as the network is: the product's own commands live through it (story.commands.ts).
 */
import type { OperatorRole, PoolName, SupportTopic } from '@aval/contract'
import { ANSWERS } from './demo-templates.ts'

/**
 * When it happens: on a day of the history (0 is the first), at a time of the company's clock; or so many minutes before the present, of which
 * the history's last day is the one before.
 */
export type StoryTime = { readonly day: number; readonly at: string } | { readonly ago: number }

/** Members and operators by username; amounts in whole USD. */
export type StoryAct =
  | { readonly act: 'template'; readonly by: string; readonly answer: (typeof ANSWERS)[number] }
  | {
      readonly act: 'ask'
      readonly member: string
      readonly topic?: SupportTopic
      readonly text: string
    }
  | { readonly act: 'answer'; readonly by: string; readonly member: string; readonly text: string }
  | { readonly act: 'assign'; readonly by: string; readonly member: string; readonly to: string }
  | { readonly act: 'close'; readonly by: string; readonly member: string }
  | { readonly act: 'note'; readonly by: string; readonly member: string; readonly text: string }
  /** On the member's phone. */
  | { readonly act: 'sign_in'; readonly member: string }
  | { readonly act: 'wallet'; readonly member: string }
  | { readonly act: 'withdraw'; readonly member: string; readonly amount: number }
  /** All that these members asked for and nobody has decided. */
  | { readonly act: 'approve'; readonly by: string; readonly members: readonly string[] }
  | { readonly act: 'refuse'; readonly by: string; readonly member: string; readonly reason: string }
  | {
      readonly act: 'freeze'
      /** False lets the account go. */
      readonly frozen: boolean
      readonly by: string
      readonly member: string
      readonly reason: string
    }
  | {
      readonly act: 'fund'
      readonly by: string
      readonly pool: PoolName
      readonly amount: number
      readonly reason: string
    }
  /** What was proposed about money and waits, on the approvals page. */
  | { readonly act: 'sign'; readonly by: string }
  /** An invoice that nobody pays for now. */
  | { readonly act: 'invoice'; readonly member: string; readonly amount: number }
  /** A transfer to the member's address, whatever it is for. */
  | {
      readonly act: 'pay'
      readonly member: string
      readonly amount: number
      readonly becomes: 'late' | 'no_invoice' | 'overpaid'
    }
  | {
      readonly act: 'review'
      readonly by: string
      readonly member: string
      readonly fate: 'late' | 'no_invoice'
      readonly note: string
    }
  | { readonly act: 'second_factor'; readonly member: string }
  | {
      readonly act: 'release'
      readonly by: string
      readonly member: string
      readonly reason: string
      readonly identified: string
    }
  | {
      readonly act: 'phone'
      readonly by: string
      readonly member: string
      readonly phone: string
      readonly reason: string
    }
  | {
      readonly act: 'email'
      readonly by: string
      readonly member: string
      readonly email: string
      readonly reason: string
    }
  | {
      readonly act: 'invite'
      readonly by: string
      readonly member: string
      readonly role: OperatorRole
      readonly reason: string
    }
  /** All payments. */
  | { readonly act: 'stop'; readonly stopped: boolean; readonly by: string; readonly reason: string }
  /** What passive profit pays on a day, in percent, so many days after the present. */
  | {
      readonly act: 'rate'
      readonly by: string
      readonly inDays: number
      readonly percentage: string
      readonly reason: string
    }
  /** A plan that asks for more in a withdrawal and allows more a day, so many days after the present. */
  | { readonly act: 'plan'; readonly by: string; readonly inDays: number }
  /** What needs a person is looked for, as it is once a minute. */
  | { readonly act: 'look' }

export type StoryEvent = StoryTime & StoryAct

const ask = (member: string, text: string, topic?: SupportTopic): StoryAct => ({
  act: 'ask',
  member,
  text,
  ...(topic !== undefined && { topic }),
})
const answer = (by: string, member: string, text: string): StoryAct => ({ act: 'answer', by, member, text })
const note = (by: string, member: string, text: string): StoryAct => ({ act: 'note', by, member, text })
const on = (day: number, at: string, act: StoryAct): StoryEvent => ({ day, at, ...act })
const ago = (minutes: number, act: StoryAct): StoryEvent => ({ ago: minutes, ...act })

const MONEY: readonly StoryEvent[] = [
  on(10, '15:10', {
    act: 'fund',
    by: 'teresa',
    pool: 'profit',
    amount: 20_000,
    reason: 'Ganancias de los próximos meses, según el acta de la junta',
  }),
  on(12, '15:30', {
    act: 'fund',
    by: 'teresa',
    pool: 'commission',
    amount: 40_000,
    reason: 'Comisiones: la red crece más rápido de lo previsto',
  }),
  on(12, '15:40', { act: 'sign', by: 'teresa' }),
  on(13, '11:00', {
    act: 'stop',
    stopped: true,
    by: 'clara',
    reason: 'El nodo de la cadena se atrasó; se comparan las reservas antes de seguir',
  }),
  on(13, '11:05', { act: 'look' }),
  on(13, '11:40', {
    act: 'stop',
    stopped: false,
    by: 'teresa',
    reason: 'Las reservas coinciden y el nodo está al día',
  }),
  on(13, '11:42', { act: 'sign', by: 'olga' }),
  on(13, '11:45', { act: 'look' }),

  on(8, '11:30', { act: 'wallet', member: 'camilac' }),
  on(18, '19:20', { act: 'wallet', member: 'diegov' }),
  on(18, '20:05', { act: 'wallet', member: 'julianr' }),
  on(18, '10:40', { act: 'withdraw', member: 'camilac', amount: 200 }),
  on(19, '10:20', { act: 'withdraw', member: 'diegov', amount: 120 }),
  on(19, '10:50', { act: 'withdraw', member: 'julianr', amount: 150 }),
  on(19, '12:30', { act: 'approve', by: 'teresa', members: ['camilac', 'diegov', 'julianr'] }),
  on(21, '08:40', { act: 'wallet', member: 'tomasv' }),
  on(21, '10:30', { act: 'withdraw', member: 'tomasv', amount: 100 }),
  on(21, '13:00', {
    act: 'refuse',
    by: 'clara',
    member: 'tomasv',
    reason:
      'Esa billetera es de una casa de cambio y no se puede confirmar que sea tuya. Registra otra y pídelo de nuevo.',
  }),
  on(25, '18:00', { act: 'wallet', member: 'lucias' }),
  on(26, '10:10', { act: 'withdraw', member: 'camilac', amount: 400 }),
  on(26, '10:40', { act: 'withdraw', member: 'lucias', amount: 60 }),
  on(26, '12:00', { act: 'approve', by: 'olga', members: ['camilac', 'lucias'] }),
  on(27, '20:00', { act: 'wallet', member: 'nataliap' }),
  on(28, '10:15', { act: 'withdraw', member: 'nataliap', amount: 350 }),
  on(28, '21:30', { act: 'wallet', member: 'marianah' }),
  on(29, '10:45', { act: 'withdraw', member: 'marianah', amount: 1_000 }),
  ago(95, { act: 'withdraw', member: 'julianr', amount: 80 }),
]

/** Where a withdrawal is asked for on a device that was never seen, its reviewer reads so: these were seen. */
const SIGN_INS: readonly StoryEvent[] = ['camilac', 'diegov', 'julianr', 'lucias', 'marianah'].map((member) =>
  on(6 + member.length, '07:30', { act: 'sign_in', member }),
)

const ASTRAY: readonly StoryEvent[] = [
  on(14, '10:20', { act: 'invoice', member: 'brunog', amount: 100 }),
  on(15, '10:30', { act: 'pay', member: 'brunog', amount: 100.5, becomes: 'late' }),
  on(15, '16:20', {
    act: 'review',
    by: 'pablo',
    member: 'brunog',
    fate: 'late',
    note: 'Pagó al día siguiente. Está en su saldo; se le explicó en el chat cómo invertirlo.',
  }),
  on(24, '10:20', { act: 'invoice', member: 'gabrielam', amount: 250 }),
  on(24, '10:35', { act: 'pay', member: 'gabrielam', amount: 270, becomes: 'overpaid' }),
  on(26, '11:10', { act: 'invoice', member: 'carlao', amount: 200 }),
  on(27, '11:00', { act: 'pay', member: 'carlao', amount: 201, becomes: 'late' }),
  on(28, '12:00', { act: 'pay', member: 'emilion', amount: 150, becomes: 'no_invoice' }),
]

const PEOPLE: readonly StoryEvent[] = [
  on(7, '18:00', { act: 'second_factor', member: 'danielac' }),
  on(16, '09:10', {
    act: 'freeze',
    frozen: true,
    by: 'clara',
    member: 'elenad',
    reason: 'Avisaste que otra persona entró a tu cuenta. Nadie mueve dinero hasta que hablemos contigo.',
  }),
  on(17, '12:20', {
    act: 'freeze',
    frozen: false,
    by: 'clara',
    member: 'elenad',
    reason: 'Llamada al número registrado; cambió su contraseña y cerró las otras sesiones',
  }),
  on(
    17,
    '12:30',
    note(
      'clara',
      'elenad',
      'Confirmó por teléfono fecha de ingreso y último pago. Usaba la misma contraseña en otro sitio.',
    ),
  ),
  on(
    20,
    '17:00',
    note('pablo', 'camilac', 'Prefiere que le escriban por la tarde. Explica muy bien el plan a su equipo.'),
  ),
  on(
    21,
    '13:10',
    note(
      'clara',
      'tomasv',
      'La billetera aparece como depósito de una casa de cambio en el explorador. Se le pidió una propia.',
    ),
  ),
  on(23, '09:30', {
    act: 'freeze',
    frozen: true,
    by: 'clara',
    member: 'paulaf',
    reason:
      'Hubo tres intentos de entrar desde otro país. Envíanos una foto de tu documento por el chat para seguir.',
  }),
  on(
    23,
    '09:40',
    note(
      'clara',
      'paulaf',
      'Tres intentos en una noche, ninguno con la contraseña correcta. Falta su documento.',
    ),
  ),
  on(27, '16:00', {
    act: 'phone',
    by: 'pablo',
    member: 'felipea',
    phone: '+57 310 555 0148',
    reason: 'Cambió de operador; lo confirmó desde el correo registrado',
  }),
  on(
    28,
    '12:30',
    note(
      'teresa',
      'marianah',
      'Avisó que pedirá un retiro grande para la matrícula de su hija. Su red está activa.',
    ),
  ),
  on(29, '15:00', {
    act: 'invite',
    by: 'olga',
    member: 'isabellar',
    role: 'support',
    reason: 'Atiende a los miembros de habla inglesa desde el lunes',
  }),
  ago(260, {
    act: 'rate',
    by: 'teresa',
    inDays: 40,
    percentage: '0.25',
    reason: 'Las operaciones de esa semana rinden menos por los feriados.',
  }),
  ago(240, { act: 'plan', by: 'omar', inDays: 45 }),
  ago(170, {
    act: 'release',
    by: 'pablo',
    member: 'danielac',
    reason: 'Perdió el teléfono y no guardó los códigos de recuperación',
    identified: 'Videollamada con su documento; coincide con la foto y el número registrados',
  }),
  ago(9, {
    act: 'email',
    by: 'pablo',
    member: 'felipea',
    email: 'felipe.arias@correo.example',
    reason: 'Ya no tiene acceso al correo de su trabajo anterior',
  }),
  ago(2, { act: 'look' }),
]

const TEMPLATES: readonly StoryEvent[] = ANSWERS.map((ready, index) =>
  on(1, `11:${String(10 + index)}`, { act: 'template', by: 'olga', answer: ready }),
)

const CHATS: readonly StoryEvent[] = [
  on(8, '10:42', ask('camilac', 'Buenos días. ¿Dónde registro mi billetera para retirar?', 'help')),
  on(
    8,
    '11:06',
    answer(
      'pablo',
      'camilac',
      'Hola, Camila. En Perfil, en el campo de la billetera USDT TRC20. Te llega un código por correo para confirmarla, y desde ahí puedes pedir tu retiro.',
    ),
  ),
  on(8, '11:34', ask('camilac', 'Listo, ya quedó. ¡Gracias!')),
  on(8, '11:52', answer('pablo', 'camilac', '¡Con gusto! Cualquier cosa nos escribes por aquí.')),
  on(8, '18:00', { act: 'close', by: 'pablo', member: 'camilac' }),

  on(
    15,
    '17:20',
    ask(
      'brunog',
      'Hi, I paid my invoice this morning but the time had run out. Is the money lost?',
      'payment',
    ),
  ),
  on(16, '08:00', { act: 'look' }),
  on(
    16,
    '08:31',
    answer(
      'pablo',
      'brunog',
      'Hi Bruno. Nothing is lost: the transfer arrived after the invoice ended, so it was added to your balance. You can invest it from there whenever you like.',
    ),
  ),
  on(16, '08:35', { act: 'look' }),
  on(16, '09:02', ask('brunog', 'I see it now, thank you!')),
  on(
    16,
    '09:10',
    answer(
      'pablo',
      'brunog',
      'You’re welcome. The next invoice gives you two hours; the page shows how much is left.',
    ),
  ),

  on(
    16,
    '12:15',
    ask('elenad', 'Mi cuenta dice que está congelada. Ayer vi una sesión que no era mía y les avisé.'),
  ),
  on(16, '12:40', { act: 'assign', by: 'pablo', member: 'elenad', to: 'clara' }),
  on(
    16,
    '13:20',
    answer(
      'clara',
      'elenad',
      'Hola, Elena. La congelamos apenas nos avisaste, para que nadie mueva tu dinero. Mañana te llamo al número registrado; mientras tanto cambia tu contraseña.',
    ),
  ),
  on(
    17,
    '12:25',
    answer(
      'clara',
      'elenad',
      'Gracias por la llamada. Tu cuenta ya está activa otra vez y tu saldo está completo. Te recomiendo activar la verificación en dos pasos.',
    ),
  ),
  on(17, '17:00', { act: 'close', by: 'clara', member: 'elenad' }),

  on(18, '17:48', ask('valentinag', '¿Por qué mi pierna derecha tiene puntos y no me pagaron binario?')),
  on(
    18,
    '18:20',
    answer(
      'pablo',
      'valentinag',
      'Hola, Valentina. El binario paga lo que coincide entre las dos piernas. Tu izquierda todavía no tiene puntos, así que los de la derecha quedan guardados y no se pierden. En Pagos, en la pestaña Binario, está la cuenta de cada día.',
    ),
  ),
  on(18, '18:41', ask('valentinag', 'Ahora sí entendí. Gracias.')),
  on(18, '19:05', { act: 'close', by: 'pablo', member: 'valentinag' }),

  on(21, '13:40', ask('tomasv', 'Me rechazaron el retiro. ¿El dinero se perdió?', 'payment')),
  on(
    21,
    '14:10',
    answer(
      'clara',
      'tomasv',
      'Hola, Tomás. No: volvió completo a tu saldo. La billetera era de una casa de cambio; registra una tuya y pídelo de nuevo, sin costo.',
    ),
  ),

  on(25, '16:05', ask('martins', '¿Cuándo se desbloquea mi capital?')),
  on(
    25,
    '16:17',
    answer(
      'pablo',
      'martins',
      'Hola, Martín. A los 365 días de cada inversión: las tuyas, con su fecha, están en Inversiones. Las ganancias sí las puedes retirar cuando quieras.',
    ),
  ),
  on(25, '16:40', { act: 'close', by: 'pablo', member: 'martins' }),
  on(28, '11:12', ask('lucias', '¿Cambiaron la comisión de los retiros? Me llegaron 59.')),
  on(
    28,
    '12:01',
    answer(
      'clara',
      'lucias',
      'Hola, Lucía. Es la misma: 1 USD por retiro, que cubre lo que cobra la red. Antes de confirmar, la página muestra cuánto llega.',
    ),
  ),
  on(
    29,
    '17:30',
    ask('gabrielam', 'Mandé 270 y la inversión era de 250. ¿Qué pasa con la diferencia?', 'payment'),
  ),
  on(
    29,
    '17:52',
    answer(
      'pablo',
      'gabrielam',
      'Hola, Gabriela. Lo que sobró quedó en tu saldo el mismo día: lo ves en Pagos, y puedes invertirlo o retirarlo.',
    ),
  ),

  ago(
    215,
    ask(
      'danielac',
      'Hello, I lost my phone and cannot sign in anymore: it asks for a code I do not have.',
      'help',
    ),
  ),
  ago(
    190,
    answer(
      'pablo',
      'danielac',
      'Hi Daniela. We can turn the second step off once we are sure it is you. I have just called you by video; two of us have to agree, so it takes a little while. You get an e-mail when it is done.',
    ),
  ),
  ago(
    165,
    note('pablo', 'danielac', 'Identificada por videollamada. Falta que otra persona esté de acuerdo.'),
  ),

  ago(
    320,
    ask('nataliap', 'Hola, mi retiro de 350 sigue en revisión desde anteayer. ¿Hay algún problema?', 'help'),
  ),
  ago(300, { act: 'assign', by: 'pablo', member: 'nataliap', to: 'omar' }),
  ago(298, note('pablo', 'nataliap', 'Pregunta por su retiro; Omar lo revisa con tesorería.')),
  ago(54, ask('irenem', 'Envié 250 USDT hace media hora y la factura sigue en espera.', 'payment')),
  ago(52, ask('irenem', 'Los mandé desde otra billetera, por si ayuda.')),
  ago(18, ask('felipem2', '¿Puedo invertir otra vez con lo que gané, sin mandar una transferencia?')),
]

/** In order: those of a day by the clock, the last ones by how long ago they are. */
export const DEMO_STORY: readonly StoryEvent[] = [
  ...MONEY,
  ...SIGN_INS,
  ...ASTRAY,
  ...PEOPLE,
  ...TEMPLATES,
  ...CHATS,
].toSorted((left, right) => rankOf(left).localeCompare(rankOf(right)))

function rankOf(time: StoryTime): string {
  if ('ago' in time) return `9 ${String(100_000 - time.ago).padStart(6, '0')}`
  return `0 ${String(time.day).padStart(2, '0')} ${time.at}`
}
