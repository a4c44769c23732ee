/** Ready texts that the demo's operators answer with, as a company would keep them. */

interface ReadyAnswer {
  readonly name: string
  readonly text_es: string
  readonly text_en: string
}

export const ANSWERS: readonly ReadyAnswer[] = [
  {
    name: 'Saludo',
    text_es:
      'Hola, {first_name}. Gracias por escribirnos. Ya estoy mirando tu caso y te respondo en unos minutos.',
    text_en:
      'Hello {first_name}, thank you for writing. I am looking into it and will answer in a few minutes.',
  },
  {
    name: 'Retiro en revisión',
    text_es:
      'Hola, {first_name}. Tu retiro está en revisión: una persona lo mira antes de que salga, y los de 1.000 USDT o más los miran dos. Suele tardar menos de un día, y te llega un correo en cada paso.',
    text_en:
      'Hello {first_name}, your withdrawal is being reviewed: a person looks at each before it leaves, and two look at those of 1,000 USDT or more. It usually takes less than a day, and you get an e-mail at each step.',
  },
  {
    name: 'Depósito que no aparece',
    text_es:
      'Hola, {first_name}. Un depósito aparece cuando la red lo confirma, en uno o dos minutos. Si ya pasó más tiempo, envíanos el identificador de la transferencia (64 letras y números) y lo buscamos. Revisa también que haya salido por TRC20.',
    text_en:
      'Hello {first_name}, a deposit shows once the network has confirmed it, in a minute or two. If it has been longer, send us the transaction id (64 letters and digits) and we will look for it. Please check as well that it was sent by TRC20.',
  },
  {
    name: 'Pago fuera de tiempo',
    text_es:
      'Hola, {first_name}. Tu transferencia llegó cuando la inversión pendiente ya había vencido. No se perdió: está en tu saldo, y desde ahí puedes invertirla o retirarla.',
    text_en:
      'Hello {first_name}, your transfer arrived after the pending investment had expired. It is not lost: it is in your balance, and you can invest or withdraw it from there.',
  },
  {
    name: 'Teléfono perdido',
    text_es:
      'Hola, {first_name}. Si guardaste los códigos de recuperación, entra con uno de ellos. Si no los tienes, te identificamos por videollamada con tu documento; dos personas tienen que estar de acuerdo, y te avisamos por correo.',
    text_en:
      'Hello {first_name}, if you kept your recovery codes, sign in with one of them. If you do not have them, we identify you by a video call with your document; two people have to agree, and you will hear from us by e-mail.',
  },
  {
    name: 'Cómo funciona el binario',
    text_es:
      'Hola, {first_name}. Cada inversión debajo de ti suma puntos en su pierna. Cada noche se paga el 10 % de lo que coincide entre las dos; lo que sobra en una se guarda para los días siguientes. En Pagos ves la cuenta de cada día.',
    text_en:
      'Hello {first_name}, every investment below you adds points to its leg. Each night 10% of what matches on both is paid; what is left on one side is kept for the days after. Payments shows you the sum of each day.',
  },
]
