import type { RefusalCode } from '@aval/contract'
import { accounts } from './accounts.es.ts'
import { support } from './support.es.ts'

/** Español latinoamericano, de tú. Esta lista decide qué mensajes existen. */
export const es = {
  ...accounts,
  ...support,

  // Refusals
  input_invalid: 'Los datos enviados no son válidos.',
  field_required: 'Falta completar: {field}.',
  amount_invalid: 'La cantidad no es válida.',
  page_invalid: 'El número de página no es válido.',
  page_size_invalid: 'El tamaño de página va de 1 a 100.',
  json_invalid: 'El contenido enviado no es JSON válido.',
  username_invalid: 'El nombre de usuario lleva de 3 a 30 letras, números, puntos, guiones o guiones bajos.',
  email_invalid: 'El correo electrónico no es válido.',
  phone_invalid: 'El teléfono lleva solo números, de 6 a 20.',
  name_invalid: 'El nombre tiene más de 60 caracteres o contiene caracteres no permitidos.',
  password_too_short: 'La contraseña debe tener al menos 8 caracteres.',
  password_too_long: 'La contraseña puede tener 20 caracteres como máximo.',
  passwords_differ: 'Las contraseñas no coinciden.',
  captcha_required: 'Confirma que no eres un robot.',
  captcha_invalid: 'La verificación no es válida o ya venció. Vuelve a intentarlo.',
  idempotency_key_invalid: 'La clave de idempotencia no es válida.',
  not_signed_in: 'Inicia sesión para continuar.',
  credentials_wrong: 'El usuario o la contraseña no son correctos.',
  refresh_invalid: 'Tu sesión terminó. Vuelve a iniciar sesión.',
  otp_wrong: 'El código no es correcto o ya se usó. Cada código sirve una sola vez.',
  otp_token_invalid: 'Este inicio de sesión ya no es válido. Empieza de nuevo con tu contraseña.',
  not_allowed: 'No tienes permiso para hacer esto.',
  otp_required: 'Confírmalo con el código de seis dígitos de tu aplicación de autenticación.',
  otp_invalid:
    'El código no es correcto o ya se usó. Cada código sirve una sola vez: espera el siguiente si hace falta.',
  two_factor_required:
    'Los operadores entran con verificación en dos pasos: actívala, o inicia sesión de nuevo con tu código.',
  two_factor_obligatory: 'Un operador no puede desactivar su verificación en dos pasos.',
  not_found: 'No lo encontramos.',
  page_not_found: 'Esa página no existe.',
  invoice_not_found: 'No encontramos ese pago.',
  username_taken: 'Ese nombre de usuario ya está en uso.',
  email_taken: 'Ese correo electrónico ya está registrado.',
  idempotency_key_reused: 'Esta clave de idempotencia ya se usó con otros datos.',
  two_factor_on: 'La verificación en dos pasos ya está activa. Para usar otro teléfono, primero desactívala.',
  two_factor_off: 'La verificación en dos pasos no está activa: empieza por configurarla.',
  body_too_large: 'Lo enviado es demasiado grande.',
  media_type_unsupported: 'El formato enviado no se acepta; usa JSON.',
  ref_code_unknown: 'El enlace de registro no es válido. Pídele uno nuevo a quien te invitó.',
  first_investment_too_small: 'La primera inversión es de al menos {limit}.',
  top_up_too_small: 'Cada aumento es de al menos {limit}.',
  amount_too_large: 'La cantidad supera el máximo de {limit}.',
  balance_too_small: 'Tu saldo no alcanza: tienes {available} disponibles.',
  too_many_open_invoices: 'Tienes demasiados pagos abiertos. Completa uno o espera a que venza.',
  payment_not_seen: 'Todavía no vemos tu pago en la red. Suele tardar unos minutos.',
  payment_confirming: 'Vemos tu pago: {confirmations} de {needed} confirmaciones.',
  payment_short: 'Recibimos {received} de {due}: faltan {missing}. Lo recibido está en tu saldo.',
  invoice_expired: 'Este pago venció. Crea uno nuevo; si ya enviaste dinero, llegará a tu saldo.',
  demo_only: 'Esto solo existe en la demostración local.',
  demo_busy: 'La demostración ya está avanzando; espera un momento.',
  pool_unknown: 'Ese fondo no existe.',
  company_funds_too_small: 'El capital de la empresa no alcanza: hay {available} disponibles.',
  payouts_stopped: 'Los pagos están detenidos hasta que las reservas vuelvan a coincidir con los libros.',
  difference_none: 'Esta dirección tiene lo que debe tener: no hay nada que explicar.',
  difference_changed: 'La diferencia ya es otra: {difference}. Vuelve a revisarla.',
  year_invalid: 'El año no es válido.',
  dates_invalid: 'Las fechas no son válidas.',
  rate_invalid: 'El porcentaje no es válido: escribe 0.25 para un cuarto de uno por ciento.',
  payment_not_found: 'No encontramos ese pago.',
  run_not_found: 'No existe esa corrida de pagos.',
  run_not_held: 'Esta corrida ya no espera esa decisión.',
  run_past_cancelling:
    'Esta corrida ya no se puede cancelar: fue liberada o un día posterior depende de ella.',
  run_not_short: 'El fondo cubre esta corrida: no hay nada que prorratear.',
  pool_empty: 'El fondo está vacío.',
  rate_too_high: 'Un día paga como máximo lo que dice el plan: {limit} %.',
  rate_day_paid: 'Ese día ya se pagó.',
  plan_refused: 'El plan no se puede aplicar. {reason}',
  plan_starts_too_soon: 'Un plan nuevo empieza mañana como pronto.',
  investment_not_found: 'No encontramos esa inversión.',
  investment_reversed: 'Esta inversión ya fue revertida.',
  investment_unsettled:
    'Lo que paga esta inversión aún no está liquidado: primero libera o cancela sus corridas.',
  investment_withdrawn: 'El capital de esta inversión ya se retiró: no se puede revertir.',
  withdrawals_paused:
    'Los retiros están en pausa mientras verificamos las reservas. Tu dinero sigue en tu cuenta; vuelve a intentarlo más tarde.',
  wallet_required: 'Falta la dirección de la billetera USDT TRC20.',
  wallet_missing: 'Registra primero tu billetera USDT en tu perfil.',
  wallet_unregistered:
    'Solo se retira a la billetera registrada en tu perfil. Revísala y vuelve a intentarlo.',
  withdrawal_too_small: 'Cada retiro es de al menos {limit}.',
  withdrawal_daily_limit: 'Puedes retirar hasta {limit} por día; hoy te quedan {left}.',
  withdrawal_not_found: 'No encontramos ese retiro.',
  withdrawal_past_cancelling: 'Este retiro ya no se puede cancelar.',
  withdrawal_decided: 'El retiro {number} ya está decidido.',
  withdrawal_own: 'No puedes decidir tus propios retiros.',
  withdrawal_approved_before: 'Ya aprobaste el retiro {number}: falta otro operador.',
  withdrawal_in_transit: 'El retiro {number} tiene una transferencia en camino: todavía puede llegar.',
  not_fundator: 'Solo los fundadores pueden convertir a un referido en máster.',
  too_many_masters: 'Ya tienes {limit} másteres, el máximo posible.',
  referral_not_found: 'No encontramos a ese referido entre los tuyos.',
  master_already: 'Este referido ya es máster.',
  too_many_requests: 'Demasiados intentos. Espera {seconds} segundos y vuelve a intentarlo.',
  unexpected: 'Algo salió mal de nuestro lado. Ya lo registramos; vuelve a intentarlo en un momento.',
  unavailable: 'El servicio no está disponible por ahora. Vuelve a intentarlo en un momento.',

  // How the fields of requests are called in "field_required"
  field_username: 'nombre de usuario',
  field_email: 'correo electrónico',
  field_password: 'contraseña',
  field_password2: 'repetir contraseña',
  field_amount: 'cantidad',
  field_txn_id: 'número de pago',
  field_reason: 'motivo',
  field_day: 'día',
  field_percentage: 'porcentaje',
  field_document: 'plan',
  field_starts_on: 'fecha de inicio',
  field_wallet_address: 'billetera',
  field_used_code: 'código secreto',
  field_code: 'código',

  // Two-factor
  two_factor_turned_off: 'La verificación en dos pasos quedó desactivada.',

  // Investments
  reinvested: '¡Transacción exitosa, inversión aumentada!',
  payment_confirmed: 'Pago confirmado: {amount} ya son parte de tu inversión.',
  payment_late: 'Recibimos {received} después del vencimiento; están completos en tu saldo.',

  // Why a payment is what it is
  why_passive:
    '{percentage} % de {basis} que tenías invertidos al comenzar el {day}, según el plan versión {version}.',
  why_direct:
    '{percentage} % de {basis} que {name} invirtió el {day}, nivel {level}, según el plan versión {version}.',
  why_master:
    '{percentage} % de {basis} que {name} invirtió el {day}, por código máster en el nivel {level}, según el plan versión {version}.',
  why_binary:
    '{percentage} % de {matched} puntos emparejados en ambas piernas el {day}, según el plan versión {version}.',
  why_binary_capped:
    '{percentage} % de {matched} puntos emparejados en ambas piernas el {day} sumó {earned}; el límite del día es {amount}, según el plan versión {version}.',
  why_passive_capped:
    '{percentage} % de los {basis} que tenías invertidos al empezar el {day}, recortado a lo que quedaba bajo el límite de {multiple} veces la inversión, según el plan versión {version}.',
  why_prorated: 'La empresa pagó esta corrida a prorrata: {paid} de {amount}.',

  // The rule behind a payment
  rule_passive:
    'Ganancia pasiva: {percent} % de la inversión cada {days} días, una parte por día. Para los días que vienen es una estimación.',
  rule_passive_declared: 'Ganancia pasiva: la empresa declaró {rate} % para este día.',
  rule_direct: 'Comisión directa: un porcentaje de lo que invierte tu red, por nivel: {levels}.',
  rule_master:
    'Código máster: {percent} % de lo que se invierte debajo de un enlace marcado como máster, más allá del nivel {levels}.',
  rule_binary:
    'Binario: los puntos de la pierna débil se emparejan con los de la fuerte, uno a uno; se paga {percent} % de ellos, como máximo {cap} por día y nunca más que tu inversión.',

  // What went in, labelled
  input_principal: 'Invertido al empezar el día',
  input_rate: 'Porcentaje del día',
  input_earned_before: 'Ganancia pasiva anterior',
  input_limit: 'Límite de ganancia pasiva',
  input_investor: 'Quién invirtió',
  input_invested: 'Monto invertido',
  input_invested_on: 'Fecha de la inversión',
  input_level: 'Nivel',
  input_percentage: 'Porcentaje',
  input_left: 'Puntos a la izquierda',
  input_right: 'Puntos a la derecha',
  input_matched: 'Puntos emparejados',
  input_cap: 'Límite del día',
  input_flushed: 'Sobre el límite, no pagado',
  input_carry_left: 'Quedan a la izquierda',
  input_carry_right: 'Quedan a la derecha',
  input_computed: 'Calculado',
  input_paid: 'Pagado a prorrata',

  // What was not paid, and why
  missed_inactive:
    'No tenías nada invertido cuando {name} invirtió {basis}: el nivel {level} habría pagado {amount}. Se quedó en el fondo.',
  missed_skipped:
    'No tenías nada invertido cuando {name} invirtió {basis}: el nivel {level} pasó al siguiente patrocinador activo.',
  missed_flushed:
    'Tu emparejamiento del {day} superó el límite del día por {amount}. Esos puntos se consumen y no se pagan.',
  missed_binary_inactive:
    'Tus piernas emparejaron por {amount} el {day}, pero no tenías nada invertido. Los puntos se conservan.',
  missed_no_active_left:
    'Tus piernas emparejaron por {amount} el {day}, pero ningún referido directo a tu izquierda estaba activo. Los puntos se conservan.',
  missed_no_active_right:
    'Tus piernas emparejaron por {amount} el {day}, pero ningún referido directo a tu derecha estaba activo. Los puntos se conservan.',
  missed_no_active_referrals:
    'Tus piernas emparejaron por {amount} el {day}, pero ningún referido directo a tus lados estaba activo. Los puntos se conservan.',
  missed_capped: 'Tu ganancia pasiva llegó a su límite el {day}: {amount} de ese día no se pagó.',
  missed_pro_rata:
    'El fondo no cubría la corrida del {day}; la empresa la pagó a prorrata, {amount} menos para ti.',

  // The statement
  statement_date: 'Fecha',
  statement_what: 'Movimiento',
  statement_detail: 'Detalle',
  statement_amount: 'Cambio de saldo (USD)',
  statement_change: 'Cambio de inversión (USD)',
  statement_balance: 'Saldo (USD)',
  statement_principal: 'Inversión (USD)',
  statement_opening: 'Estado inicial',
  posting_deposit_to_principal: 'Inversión pagada en USDT',
  posting_deposit_to_balance: 'Pago recibido en el saldo',
  posting_deposit_fee: 'Comisión de la empresa',
  posting_reinvest: 'Inversión pagada con el saldo',
  posting_passive: 'Pago pasivo',
  posting_direct: 'Pago directo',
  posting_master: 'Pago por código máster',
  posting_binary: 'Pago binario',
  posting_reverse_investment: 'Inversión revertida',
  posting_clawback: 'Pago devuelto',
  posting_owed: 'Pago devuelto, pendiente',
  posting_recover: 'Deuda pagada con el saldo',
  posting_settle: 'Deuda saldada',
  posting_hold: 'Retiro solicitado',
  posting_release: 'Retiro devuelto',
  posting_withdraw: 'Retiro enviado',
  posting_withdraw_fee: 'Comisión de retiro',
  level_of: 'nivel {level}, {name}',

  // Why a run waits
  objection_rate_above_plan: 'El porcentaje de {rate} % supera lo que paga el plan.',
  objection_change_too_large: 'Suma {now}; la corrida anterior sumó {before}.',
  objection_member_above_cap: 'Un asociado recibiría {largest}, más de {limit}.',
  objection_run_above_cap: 'Paga {sum}, más de lo que puede pagar una corrida: {limit}.',
  objection_pool_short: 'Al fondo le faltan {missing}.',

  // Why a plan cannot be applied
  plan_levels_above_hundred: 'Los niveles pagan más del 100 % de lo invertido.',
  plan_promises_above_invested:
    'Niveles, código máster y binario prometen juntos más de lo que se invierte: ningún fondo podría respaldarlo.',
  plan_minimum_above_maximum: 'Un mínimo está por encima del máximo.',
  plan_minimum_of_nothing: 'Un mínimo no puede ser cero.',
  plan_passive_above_principal: 'Un período paga más que toda la inversión: ningún fondo podría respaldarlo.',
  plan_passive_above_daily:
    'Paga más del 5 % de la inversión por día: ningún fondo podría respaldarlo. Revisa el período.',
  plan_cap_of_nothing: 'Un límite de cero: quítalo, o no pagues ganancia pasiva.',
  plan_binary_cap_above_member:
    'El límite diario del binario supera lo que una corrida puede pagar a un asociado: todo pago al límite quedaría retenido.',
  plan_binary_cap_below_smallest:
    'El límite diario del binario es menor que lo que paga la inversión más pequeña emparejada con otra igual.',
  plan_member_below_first_level:
    'Una corrida puede pagar a un asociado menos que el primer nivel de la inversión más pequeña.',
  plan_run_below_member: 'Una corrida puede pagar en total menos que a un solo asociado.',
  plan_withdrawal_fee_above_minimum: 'La comisión se queda con todo el retiro más pequeño.',
  plan_withdrawal_minimum_above_daily: 'El retiro mínimo supera el límite diario: nadie podría retirar.',
  plan_withdrawal_approvals_unordered:
    'Los montos desde los que cambian las aprobaciones empiezan en 0 y cada uno supera al anterior.',
  plan_field_invalid: 'El campo {field} no es válido.',

  // Withdrawals
  withdrawal_code_sent: 'Enviamos un código secreto a {to}. Revisa tu bandeja de entrada.',
  withdrawal_reason_transfer_refused:
    'El contrato de USDT no aceptó la transferencia a tu billetera. El monto completo volvió a tu cuenta.',
  withdrawal_reason_transfer_failed:
    'La red no completó la transferencia. El monto completo volvió a tu cuenta.',
  withdrawal_reason_not_me: 'Se canceló porque nos dijiste que no fuiste tú.',

  // Reserves
  reserves_alert_subject: 'Las reservas no coinciden: los pagos están detenidos',
  reserves_stop_outflow:
    'Salió dinero de una dirección nuestra por una transferencia que no hicimos. Es posible que otra persona tenga su clave.',
  reserves_stop_missing: 'Una dirección nuestra tiene menos de lo que debe tener.',
  reserves_stop_surplus: 'Una dirección nuestra tiene más de lo que debe tener.',
  reserves_stop_books: 'Lo que tienen nuestras direcciones no coincide con lo que dicen los libros.',
  reserves_alert_address: '{address}: debe tener {expected}, la red dice {found}. Diferencia: {difference}.',
  reserves_alert_books: '{wallet}: las direcciones y los libros difieren en {amount}.',
  reserves_alert_what:
    'Los retiros, las corridas y las transferencias quedan detenidos hasta que se explique; los depósitos se acreditan como siempre. Mira Operador › Reservas.',
  reserves_wallet_hot: 'Billetera caliente',
  reserves_wallet_cold: 'Billetera fría',
  reserves_wallet_deposits: 'Direcciones de depósito',

  // Operators
  difference_explained: 'La diferencia de {difference} quedó registrada contra el capital de la empresa.',
  withdrawals_approved: 'Retiros aprobados: {count}.',
  withdrawals_refused: 'Retiros rechazados: {count}.',
  pool_funded: 'El fondo recibió {amount}.',
  run_released: 'La corrida continúa.',
  run_prorated: 'La corrida se paga a prorrata: {amount}.',
  run_cancelled: 'La corrida se descartó y se calcula de nuevo.',
  rate_declared: 'El porcentaje del {day} ahora es {rate} %.',
  plan_stored: 'La versión {version} del plan empieza el {day}.',
  investment_reverse_preview: 'Revertirla devuelve {amount} al saldo de {name} y quita {taken}.',
  investment_was_reversed:
    'La inversión se revirtió: {amount} volvieron al saldo de {name} y se quitaron {taken}.',
  master_activated: '¡Código máster activado!',
} as const satisfies Record<RefusalCode, string> & Record<string, string>
