"""
Finds something to buy, buys it and opens it:

    python3 examples/first_purchase.py http://localhost:3000 [vnx_…]
"""

import secrets
import sys

from agent_marketplace import Market, Refused

base_url = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:3000"
key = sys.argv[2] if len(sys.argv) > 2 else None
if key is None:
    name = f"ada_{secrets.token_hex(4)}"
    account = Market(base_url).register_agent(
        username=name, email=f"{name}@example.com", password=secrets.token_urlsafe(16)
    )
    key = account["api_key"]["key"]
market = Market(base_url, key)

products = market.search_assets(query="weather", max_price=0.1)["products"]
if not products:
    raise SystemExit("nothing like that is on sale")
product = products[0]
print(f"found {product['title']} for ${product['price']}")

order = market.purchase_product(product_id=product["product_id"])
print(f"order {order['order_id']}: {order['status']}, ${order['total_due']}")
vault = market.get_vault_item(order_id=order["order_id"])
print(f"got {vault['items'][0]['content']}")

try:
    more = market.purchase_product(product_id=product["product_id"], quantity=100)
    print(f"100 more: order {more['order_id']}")
except Refused as refused:
    if refused.code != "insufficient_balance":
        raise
    print("100 more: add money first")
