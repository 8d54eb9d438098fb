/**
 * Stocks with symbol and name, below a heading of exchange and declared currency. Names are facts and every price is
 * invented. The optional part after the bar is the start of a well-known listing's walk, so that sample prices look
 * realistic. The part holds the price in the declared unit and billions of shares. Both figures are rounded and belong
 * to no particular day. Other listings draw a random start.
 */
export const stockListings = `
# NASDAQ, USD
AAPL Apple Inc. | 230 15.1
MSFT Microsoft Corporation | 430 7.4
NVDA NVIDIA Corporation | 140 24.4
AMZN Amazon.com, Inc. | 200 10.5
GOOGL Alphabet Inc. Class A | 175 12.2
GOOG Alphabet Inc. Class C | 177 12.2
META Meta Platforms, Inc. | 600 2.5
TSLA Tesla, Inc. | 300 3.2
AVGO Broadcom Inc. | 180 4.7
COST Costco Wholesale Corporation | 900 0.44
NFLX Netflix, Inc. | 800 0.43
ADBE Adobe Inc. | 450 0.44
AMD Advanced Micro Devices, Inc. | 140 1.6
PEP PepsiCo, Inc. | 160 1.37
CSCO Cisco Systems, Inc. | 55 4
INTC Intel Corporation | 24 4.3
QCOM QUALCOMM Incorporated | 160 1.1
TXN Texas Instruments Incorporated | 190 0.91
AMGN Amgen Inc. | 290 0.54
INTU Intuit Inc. | 640 0.28
AMAT Applied Materials, Inc.
BKNG Booking Holdings Inc.
ISRG Intuitive Surgical, Inc.
GILD Gilead Sciences, Inc.
ADP Automatic Data Processing, Inc.
VRTX Vertex Pharmaceuticals Incorporated
REGN Regeneron Pharmaceuticals, Inc.
MU Micron Technology, Inc.
LRCX Lam Research Corporation
KLAC KLA Corporation
PANW Palo Alto Networks, Inc.
SNPS Synopsys, Inc.
CDNS Cadence Design Systems, Inc.
MELI MercadoLibre, Inc.
ABNB Airbnb, Inc.
MAR Marriott International, Inc.
CRWD CrowdStrike Holdings, Inc.
FTNT Fortinet, Inc.
ORLY O'Reilly Automotive, Inc.
MNST Monster Beverage Corporation
MDLZ Mondelez International, Inc.
SBUX Starbucks Corporation
PYPL PayPal Holdings, Inc.
CMCSA Comcast Corporation
TMUS T-Mobile US, Inc.
HON Honeywell International Inc.
CTAS Cintas Corporation
PAYX Paychex, Inc.
ROST Ross Stores, Inc.
EA Electronic Arts Inc.
KDP Keurig Dr Pepper Inc.
EXC Exelon Corporation
XEL Xcel Energy Inc.
FAST Fastenal Company
ODFL Old Dominion Freight Line, Inc.
LULU Lululemon Athletica Inc.
DDOG Datadog, Inc.
ZS Zscaler, Inc.
TEAM Atlassian Corporation
WDAY Workday, Inc.
COIN Coinbase Global, Inc.
HOOD Robinhood Markets, Inc.
ARM Arm Holdings plc
ASML ASML Holding N.V.
DASH DoorDash, Inc.
MRVL Marvell Technology, Inc.
SMCI Super Micro Computer, Inc.
RIVN Rivian Automotive, Inc.
LCID Lucid Group, Inc.
ZM Zoom Communications, Inc.
ROKU Roku, Inc.
PLTR Palantir Technologies Inc.
APP AppLovin Corporation
MSTR Strategy Inc
WBD Warner Bros. Discovery, Inc.
ZXZZT NASDAQ Test Stock
ZVZZT
# NYSE, USD
BRK.A Berkshire Hathaway Inc. Class A
BRK.B Berkshire Hathaway Inc. Class B | 460 2.16
BF.B Brown-Forman Corporation Class B
JPM JPMorgan Chase & Co. | 230 2.8
V Visa Inc. | 300 1.95
MA Mastercard Incorporated | 510 0.92
WMT Walmart Inc. | 90 8
XOM Exxon Mobil Corporation | 115 4.4
CVX Chevron Corporation | 155 1.8
JNJ Johnson & Johnson | 155 2.4
LLY Eli Lilly and Company | 800 0.9
UNH UnitedHealth Group Incorporated | 520 0.92
PG The Procter & Gamble Company | 170 2.35
HD The Home Depot, Inc. | 390 0.99
KO The Coca-Cola Company | 63 4.3
MCD McDonald's Corporation | 295 0.72
DIS The Walt Disney Company | 105 1.8
NKE NIKE, Inc. | 75 1.5
CRM Salesforce, Inc. | 310 0.96
ORCL Oracle Corporation | 175 2.8
IBM International Business Machines Corporation | 225 0.92
ACN Accenture plc
BAC Bank of America Corporation | 45 7.7
WFC Wells Fargo & Company | 70 3.4
C Citigroup Inc.
GS The Goldman Sachs Group, Inc. | 580 0.32
MS Morgan Stanley | 120 1.6
BLK BlackRock, Inc.
SCHW The Charles Schwab Corporation
AXP American Express Company
ABBV AbbVie Inc. | 180 1.77
MRK Merck & Co., Inc. | 100 2.5
PFE Pfizer Inc. | 27 5.7
TMO Thermo Fisher Scientific Inc.
ABT Abbott Laboratories
DHR Danaher Corporation
BMY Bristol-Myers Squibb Company
MDT Medtronic plc
SYK Stryker Corporation
CVS CVS Health Corporation
CI The Cigna Group
ELV Elevance Health, Inc.
GE GE Aerospace | 180 1.08
GEV GE Vernova Inc.
CAT Caterpillar Inc. | 380 0.48
DE Deere & Company
BA The Boeing Company | 160 0.75
LMT Lockheed Martin Corporation
RTX RTX Corporation
NOC Northrop Grumman Corporation
GD General Dynamics Corporation
MMM 3M Company
UPS United Parcel Service, Inc.
FDX FedEx Corporation
UNP Union Pacific Corporation
T AT&T Inc. | 23 7.2
VZ Verizon Communications Inc. | 41 4.2
NEE NextEra Energy, Inc.
DUK Duke Energy Corporation
SO The Southern Company
COP ConocoPhillips
SLB SLB Limited
EOG EOG Resources, Inc.
LIN Linde plc
SHW The Sherwin-Williams Company
FCX Freeport-McMoRan Inc.
NEM Newmont Corporation
LOW Lowe's Companies, Inc.
TGT Target Corporation
TJX The TJX Companies, Inc.
F Ford Motor Company
GM General Motors Company
UBER Uber Technologies, Inc.
SPOT Spotify Technology S.A.
SHOP Shopify Inc.
NOW ServiceNow, Inc.
SNOW Snowflake Inc.
NET Cloudflare, Inc.
RBLX Roblox Corporation
PINS Pinterest, Inc.
SNAP Snap Inc.
MO Altria Group, Inc.
PM Philip Morris International Inc.
CL Colgate-Palmolive Company
SPGI S&P Global Inc.
MCO Moody's Corporation
CB Chubb Limited
PLD Prologis, Inc.
AMT American Tower Corporation
O Realty Income Corporation
TSM Taiwan Semiconductor Manufacturing Company Limited
BABA Alibaba Group Holding Limited
NVO Novo Nordisk A/S
SONY Sony Group Corporation
TM Toyota Motor Corporation
# LSE, GBp
VOD.L Vodafone Group Public Limited Company | 72 25
BP.L BP p.l.c.
HSBA.L HSBC Holdings plc | 720 17.9
AZN.L AstraZeneca PLC
ULVR.L Unilever PLC
RR.L Rolls-Royce Holdings plc
# JSE, ZAc
NPN.JO Naspers Limited
# TASE, ILA
TEVA.TA Teva Pharmaceutical Industries Limited
`;
